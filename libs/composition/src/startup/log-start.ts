import type { InstanceRole } from '@application/instances/living-instances';
import { exposedFiles } from '@platform/config/exposed-files';
import { VERSION } from '@platform/config/version';
import type { AppContext } from './run-app.js';

/** Which parts of the service a process is. */
type Serving = InstanceRole | 'service';

/**
 * Logs the settings in force, what they warn of, and what was started. To be called only once the app serves: a start that is
 * refused prints one line and nothing else.
 */
export function logStart({ config, logger }: Pick<AppContext, 'config' | 'logger'>, serving: Serving, address: string): void {
  logger.info('configuration', { config: config.describe() });
  for (const warning of [...config.warnings(), ...exposedFiles(config)]) logger.warn(warning);
  const serves = serving === 'service' ? 'gateway, projections, delivery' : serving;
  logger.info('started', { version: VERSION, engine: config.engine, serves, address });
}
