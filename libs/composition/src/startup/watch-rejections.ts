import { SystemClock } from '@adapters/clock.system';
import { LogThrottle } from '@application/runtime/log-throttle';
import type { Logger } from '@platform/logging/logger';
import { nameOf } from '@ports/failure';
import type { LoadedEngine } from '../engine.module.js';

const ENDS = 'the service stops: a promise was rejected and not handled';

/**
 * Logs and survives a driver's unhandled rejection, as EventStoreDB's when a cluster has no leader: every driver call has its own deadline.
 * Any other exits with 1, since the state of the service is then unknown.
 */
export function watchRejections({ driverFailure }: LoadedEngine, logger: Logger): void {
  const throttle = new LogThrottle(new SystemClock());
  let isEnding = false;
  process.on('unhandledRejection', (failure) => {
    const found = driverFailure(failure);
    if (found !== undefined) {
      const line = `the driver left a failure unhandled, and the service goes on: ${nameOf(failure)} at ${found.at}`;
      if (throttle.shouldLog(failure)) logger.warn(line, found.server);
    } else if (!isEnding) {
      isEnding = true;
      void endFor(failure, logger);
    }
  });
}

/** Prints one line with the place; the log has more call sites. The message may quote a request. */
async function endFor(failure: unknown, logger: Logger): Promise<never> {
  logger.failure(ENDS, failure);
  const { message = '', stack = '' } = failure instanceof Error ? failure : {};
  const [, site = ''] = /^\s+(at .*)$/m.exec(stack.replace(message, '')) ?? [];
  process.stderr.write(`${ENDS}: ${nameOf(failure)} ${site}\n`);
  await logger.end();
  process.exit(1);
}
