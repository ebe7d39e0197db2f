import { SystemClock } from '@adapters/clock.system';
import { LogThrottle } from '@application/runtime/log-throttle';
import type { Logger } from '@platform/logging/logger';
import { nameOf } from '@ports/failure';
import type { LoadedEngine } from '../engine.module.js';

const ENDS = 'the service ends: a failure of its own was left unhandled';

/**
 * A rejected promise that a driver leaves unhandled, as that of EventStoreDB does where a cluster has no leader, is logged and
 * survived: every call through a driver has a deadline of its own. Any other one exits the process with 1, since the service is
 * then in a state that it does not know.
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

/** Prints one line that says where; the log has more call sites. The message may quote a request. */
async function endFor(failure: unknown, logger: Logger): Promise<never> {
  logger.failure(ENDS, failure);
  const { message = '', stack = '' } = failure instanceof Error ? failure : {};
  const [, site = ''] = /^\s+(at .*)$/m.exec(stack.replace(message, '')) ?? [];
  process.stderr.write(`${ENDS}: ${nameOf(failure)} ${site}\n`);
  await logger.end();
  process.exit(1);
}
