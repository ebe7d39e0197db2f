import type { FastifyRequest } from 'fastify';

const EVENT_STREAM = /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i;

/** Whether the client asks for an answer of server-sent events. */
export function wantsEvents({ accept }: FastifyRequest['headers']): boolean {
  return accept !== undefined && EVENT_STREAM.test(accept);
}
