import { NestFactory } from '@nestjs/core';
import { AdminPasswords } from '@application/admin/admin-passwords';
import { loadEngine } from '@composition/engine.module';
import { watchRejections } from '@composition/startup/watch-rejections';
import { configOfProcess } from '@platform/config/config-of-process';
import { InstallationKey } from '@platform/config/installation-key';
import { Logger } from '@platform/logging/logger';
import { Engine, EngineInUse } from '@ports/engine.port';
import { AdminAppModule } from './admin-app.module.js';

/**
 * Replaces the admin password; resolves to a text with the new one. On the embedded engine it rejects while the service runs, or if it was
 * never started.
 */
export async function resetPassword(): Promise<string> {
  const config = configOfProcess();
  const logger = new Logger(config.logLevel);
  const engine = await loadEngine(config, 'gateway', { existing: true });
  watchRejections(engine, logger);
  const module = AdminAppModule.forRoot({ config, logger, engine: engine.open() }, InstallationKey.of(config));
  const app = await NestFactory.createApplicationContext(module, { abortOnError: false, logger }).catch(telling);
  try {
    const password = await app.get(AdminPasswords).reset();
    if (password === null) throw new Error('There is no admin password yet: the first npm start prints it.');
    return `The admin password was replaced, and every admin session is over. Keep it; it is not shown again.\n  Admin password  ${password}\n`;
  } finally {
    await app.close();
    await app.get(Engine).close();
    await logger.end();
  }
}

function telling(failure: unknown): never {
  if (failure instanceof EngineInUse) throw new Error(`${failure.message}: stop the service first, then reset the password`);
  throw failure;
}
