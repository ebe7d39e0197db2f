import type { InstanceRole } from '@application/instances/living-instances';
import { exposedFiles } from '@platform/config/exposed-files';
import { VERSION } from '@platform/config/version';
import type { AppContext } from './run-app.js';

type Serving = InstanceRole | 'service';

/** Logs the settings, their warnings, and what was started. Call once the app serves: a refused start prints a single line. */
export function logStart({ config, logger }: Pick<AppContext, 'config' | 'logger'>, serving: Serving, address: string): void {
  logger.info('configuration', { config: config.describe() });
  for (const warning of [...config.warnings(), ...exposedFiles(config)]) logger.warn(warning);
  const serves = serving === 'service' ? 'gateway, projections, delivery' : serving;
  logger.info('started', { version: VERSION, engine: config.engine, serves, address });
}
