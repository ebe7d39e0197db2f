import { exposedFiles } from '@platform/config/exposed-files';
import type { AppContext } from './run-app.js';

/** To be called only once the app serves: a start that is refused prints one line and nothing else. */
export function logConfiguration({ config, logger }: Pick<AppContext, 'config' | 'logger'>): void {
  logger.info('configuration', { config: config.describe() });
  for (const warning of [...config.warnings(), ...exposedFiles(config)]) logger.warn(warning);
}
