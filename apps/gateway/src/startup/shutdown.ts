import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PendingReplies } from '@application/conversations/post/pending-replies';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/at-first-signal';
import { Readiness } from '@platform/operations/readiness';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Tracer } from '@ports/tracer.port';
import { OpenStreams } from '../http/server-sent-events/open-streams.js';
import { ResponseHooks } from '../http/pipeline/response-hooks.js';

const FINISH_WITHIN_MS = 20_000;
/** Reserved at the end of the shutdown for error answers to open requests and for closing. */
const LAST_ANSWERS_MS = 500;
const CLOSING_MS = 500;

/**
 * Drains requests (error answers after 19 s), then closes the engine. The next start resumes open webhook attempts. False if work
 * was left.
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
  const answering = withinMs(responses.answered(), FINISH_WITHIN_MS - LAST_ANSWERS_MS - CLOSING_MS);
  // Streams end at once, except where a client does not read.
  const [isAnswered] = await Promise.all([answering, withinMs(app.get(OpenStreams).ended(), CLOSING_MS)]);
  shutdown.callLast();
  // A request may queue a message until it is answered.
  const settled = responses.answered().then(() => app.get(PendingReplies).settled());
  const isSettled = await withinMs(settled, Math.max(left() - CLOSING_MS, LAST_ANSWERS_MS));
  server.closeAllConnections();
  const isClosed = await withinMs(app.close(), Math.max(left(), CLOSING_MS));
  await app.get(Engine).close();
  await app.get(Tracer).close();
  await app.get(Logger).end();
  return isAnswered && isSettled && isClosed;
}
