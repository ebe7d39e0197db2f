import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MessageJobs } from '@application/conversations/message-jobs';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/end-of-process';
import { Readiness } from '@platform/operations/readiness';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Departure } from '../http/pipeline/departure.js';

const FINISH_WITHIN_MS = 20_000;
/** The end of it, for telling those who are still waiting that they wait in vain. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Ends the service: takes nothing new, finishes what is in flight, answers what is still open then, stores the messages
 * whose turn has not come, lets go of the engine last. An attempt that takes longer is left as by a crash: the next start
 * takes it up.
 */
export async function end(app: NestFastifyApplication): Promise<void> {
  const shutdown = app.get(Shutdown);
  const departure = app.get(Departure);
  const clock = app.get(Clock);
  const finishBy = clock.elapsed() + FINISH_WITHIN_MS;
  app.get(Readiness).set(false);
  shutdown.begin();
  const server = app.getHttpServer();
  server.close();
  server.closeIdleConnections();
  await withinMs(departure.answered(), FINISH_WITHIN_MS - LAST_ANSWERS_MS);
  shutdown.callLast();
  // A message may come into being until the last request was answered.
  const over = departure.answered().then(() => app.get(MessageJobs).settled());
  await withinMs(over, Math.max(finishBy - clock.elapsed(), LAST_ANSWERS_MS));
  server.closeAllConnections();
  await withinMs(app.close(), Math.max(finishBy - clock.elapsed(), LAST_ANSWERS_MS));
  await app.get(Engine).close();
  await app.get(Logger).end();
}
