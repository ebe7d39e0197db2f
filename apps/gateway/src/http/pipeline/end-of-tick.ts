import { setImmediate } from 'node:timers';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A Fastify hook that lets the requests of one turn of the event loop go on together at its end: the code they share stays
 * in the processor's caches. A request that fails while it goes on is answered with its failure; the others are not affected.
 */
export function endOfTick(): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  let waiting: { readonly reply: FastifyReply; readonly done: () => void }[] = [];
  const goOn = () => {
    const all = waiting;
    waiting = [];
    for (const { reply, done } of all) {
      try {
        done();
      } catch (error) {
        if (!reply.sent) void reply.send(error);
      }
    }
  };
  return (_request, reply, done) => {
    if (waiting.push({ reply, done }) === 1) setImmediate(goOn);
  };
}
