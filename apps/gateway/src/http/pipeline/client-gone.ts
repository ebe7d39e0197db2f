import type { FastifyReply } from 'fastify';

/** Aborts once the client has disconnected before its answer. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  else raw.once('close', () => gone.abort());
  return gone.signal;
}
