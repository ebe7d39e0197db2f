import 'reflect-metadata';
import { configOfProcess } from '@platform/config/config-of-process';
import { Logger } from '@platform/logging/logger';
import { startGateway } from './gateway.js';
import { ignoreClosedOutput, print } from './startup/print.js';
import { shutDown } from './startup/shutdown.js';

/**
 * Runs the service in this process; resolves once it serves, and exits the process when the start fails. Calls
 * `onStarting` with a function that shuts the service down and exits, as soon as there is something to shut down.
 */
export async function runGateway(onStarting: (shutDownAndExit: () => void) => void): Promise<void> {
  ignoreClosedOutput();
  let logger: Logger | undefined;
  try {
    const config = configOfProcess();
    logger = new Logger(config.logLevel);
    const starting = startGateway(config, logger, print);
    onStarting(
      () =>
        void starting.then(shutDown).then(
          () => process.exit(0),
          (error: unknown) => fail(error, logger),
        ),
    );
    await starting;
  } catch (error) {
    await fail(error, logger);
  }
}

/** Prints one line for a person; the log has the details. */
async function fail(error: unknown, logger?: Logger): Promise<never> {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await logger?.end();
  process.exit(1);
}
