import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PendingReplies } from '@application/conversations/post/pending-replies';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/at-first-signal';
import { Readiness } from '@platform/operations/readiness';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ResponseHooks } from '../http/pipeline/response-hooks.js';

const FINISH_WITHIN_MS = 20_000;
/** The last parts of that time are kept for answering the requests that are still open with an error, and for closing. */
const LAST_ANSWERS_MS = 500;
const CLOSING_MS = 500;

/**
 * Shuts the service down: accepts nothing new, finishes requests in flight, answers those that are still open after
 * 19 seconds, stores the queued messages, and closes the engine last. A webhook attempt that takes longer is left as by a
 * crash: the next start resumes it. Resolves to whether nothing was left.
 */
export async function shutDown(app: NestFastifyApplication): Promise<boolean> {
  const shutdown = app.get(Shutdown);
  const responses = app.get(ResponseHooks);
  const clock = app.get(Clock);
  const finishBy = clock.elapsed() + FINISH_WITHIN_MS;
  const left = () => finishBy - clock.elapsed();
  app.get(Readiness).set(false);
  shutdown.begin();
  const server = app.getHttpServer();
  server.close();
  server.closeIdleConnections();
  const isAnswered = await withinMs(responses.answered(), FINISH_WITHIN_MS - LAST_ANSWERS_MS - CLOSING_MS);
  shutdown.callLast();
  // A request may still queue a message until it is answered.
  const settled = responses.answered().then(() => app.get(PendingReplies).settled());
  const isSettled = await withinMs(settled, Math.max(left() - CLOSING_MS, LAST_ANSWERS_MS));
  server.closeAllConnections();
  const isClosed = await withinMs(app.close(), Math.max(left(), CLOSING_MS));
  await app.get(Engine).close();
  await app.get(Logger).end();
  return isAnswered && isSettled && isClosed;
}
