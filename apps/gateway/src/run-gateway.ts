import 'reflect-metadata';
import { configOfProcess } from '@platform/config/environment';
import { Logger } from '@platform/logging/logger';
import { end } from './startup/shutdown.js';
import { startGateway } from './gateway.js';
import { outliveReaders, say } from './startup/standard-output.js';

/** Runs the service in this process; resolves once it serves. `toEnd` is told how to end it, once there is something to end. */
export async function runGateway(toEnd: (inOrder: () => void) => void): Promise<void> {
  try {
    outliveReaders();
    const config = configOfProcess();
    const logger = new Logger(config.logLevel);
    const starting = startGateway(config, logger, say);
    toEnd(() => void starting.then(end).then(() => process.exit(0), fail));
    await starting;
  } catch (error) {
    fail(error);
  }
}

/** One line is what a person needs; the log has the rest. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
