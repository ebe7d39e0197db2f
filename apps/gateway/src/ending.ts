import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Shutdown } from '@application/shutdown';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/end-of-process';
import { Readiness } from '@platform/operations/readiness';
import { Engine } from '@ports/engine.port';
import { Departure } from './http/departure.js';

const FINISH_WITHIN_MS = 20_000;
const LAST_ANSWERS_WITHIN_MS = 2_000;

/**
 * Ends the service: takes nothing new, finishes what is in flight, answers what is still open then, lets go of the
 * engine last.
 */
export async function end(app: NestFastifyApplication): Promise<void> {
  const shutdown = app.get(Shutdown);
  const departure = app.get(Departure);
  app.get(Readiness).set(false);
  shutdown.begin();
  const server = app.getHttpServer();
  server.close();
  server.closeIdleConnections();
  if (!(await withinMs(departure.answered(), FINISH_WITHIN_MS))) {
    shutdown.callLast();
    await withinMs(departure.answered(), LAST_ANSWERS_WITHIN_MS);
  }
  server.closeAllConnections();
  await app.close();
  await app.get(Engine).close();
  app.get(Logger).flush();
}
