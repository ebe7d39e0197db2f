import 'reflect-metadata';
import { configOfProcess } from '@platform/config/environment';
import { Logger } from '@platform/logging/logger';
import { atFirstSignal } from '@platform/operations/end-of-process';
import { boundHeapGrowth } from '@platform/operations/heap-growth';
import { end } from './ending.js';
import { startGateway } from './gateway.js';

async function main(): Promise<void> {
  boundHeapGrowth();
  const config = configOfProcess();
  const logger = new Logger(config.logLevel);
  const starting = startGateway(config, logger, (text) => void process.stdout.write(text));
  atFirstSignal(() => void starting.then(end).then(() => process.exit(0), fail));
  await starting;
}

/** One line is what a person needs; the log has the rest. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

await main().catch(fail);
