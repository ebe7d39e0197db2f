import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FirstStart } from '@application/projects/first-start';
import { InstallationSeal } from '@application/projects/installation-seal';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { ConfigError, type Config } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import type { Logger } from '@platform/logging/logger';
import { Readiness } from '@platform/operations/readiness';
import { addressesText, firstStartText } from './startup/startup-banner.js';
import { startDelivery } from './delivery.js';
import { end } from './startup/shutdown.js';
import { GatewayModule } from './gateway.module.js';
import { surround } from './http/http.module.js';
import { newFastify } from './http/pipeline/new-fastify.js';
import { ApiDocument } from './operations/api-document.js';
import { namingItsVariable } from './startup/start-refusal.js';

type Say = (text: string) => Promise<void>;

/** Starts the service; resolves once it serves. */
export async function startGateway(config: Config, logger: Logger, say: Say): Promise<NestFastifyApplication> {
  try {
    return await start(config, logger, say);
  } catch (failure) {
    const told = namingItsVariable(failure, config);
    if (!(told instanceof ConfigError)) logger.failure('the start failed', failure);
    throw told;
  }
}

async function start(config: Config, logger: Logger, say: Say): Promise<NestFastifyApplication> {
  const key = InstallationKey.of(config);
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.forRoot(config, logger, key), newFastify(), {
    bodyParser: false,
    abortOnError: false,
    logger,
  });
  try {
    await app.get(InstallationSeal).compare(() => key.keep());
    await serve(app, config, say);
    tell(config, logger);
  } catch (failure) {
    await end(app);
    throw failure;
  }
  return app;
}

/** Told by a service that serves: a start that is refused has one line to say. */
function tell(config: Config, logger: Logger): void {
  logger.info('configuration', { config: config.describe() });
  if (config.adminPasswordIsWeak) {
    logger.warn(`ADMIN_PASSWORD is shorter than the ${PASSWORD_CHARACTERS.least} characters of a safe password`);
  }
}

async function serve(app: NestFastifyApplication, config: Config, say: Say): Promise<void> {
  surround(app);
  app.get(ApiDocument).describe(app);
  await app.init();
  const address = await listenOnceFirstStartIsDone(app, config, say);
  await startDelivery(app);
  app.get(Readiness).set(true);
  await say(addressesText(address)).catch(() => undefined);
}

/** Until there are a key and a password, the right ones would be refused as wrong. What is told of them needs the address. */
async function listenOnceFirstStartIsDone(app: NestFastifyApplication, config: Config, say: Say): Promise<string> {
  const { bootstrapApiKey: apiKey, adminPassword, host, port } = config;
  let address: string | null = null;
  const listen = async () => {
    if (address === null) await app.listen(port, host);
    return (address ??= addressOf(app, host));
  };
  await app.get(FirstStart).run({ apiKey, adminPassword }, async (made) => announce(say, firstStartText(made, await listen())));
  return listen();
}

/** Secrets that nobody saw are made anew at the next start. */
async function announce(say: Say, text: string): Promise<void> {
  await say(text).catch(({ message }: Error) => {
    throw new Error(`what the first start has to tell could not be printed, the next one does it again: ${message}`);
  });
}

function addressOf(app: NestFastifyApplication, host: string): string {
  const bound: unknown = app.getHttpServer().address();
  const port = typeof bound === 'object' && bound !== null && 'port' in bound ? String(bound.port) : '';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
