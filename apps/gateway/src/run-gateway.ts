import 'reflect-metadata';
import { configOfProcess } from '@platform/config/environment';
import { Logger } from '@platform/logging/logger';
import { shutDown } from './startup/shutdown.js';
import { startGateway } from './gateway.js';
import { ignoreClosedOutput, print } from './startup/standard-output.js';

/**
 * Runs the service in this process; resolves once it serves, and exits the process when the start fails. Calls
 * `onStarting` with a function that shuts the service down and exits, as soon as there is something to shut down.
 */
export async function runGateway(onStarting: (shutDownAndExit: () => void) => void): Promise<void> {
  try {
    ignoreClosedOutput();
    const config = configOfProcess();
    const logger = new Logger(config.logLevel);
    const starting = startGateway(config, logger, print);
    onStarting(() => void starting.then(shutDown).then(() => process.exit(0), fail));
    await starting;
  } catch (error) {
    fail(error);
  }
}

/** Prints one line for a person; the log has the details. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
