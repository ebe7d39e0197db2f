import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { listenAt, listeningUrl } from '@composition/startup/listening-url';
import { logStart } from '@composition/startup/log-start';
import type { Print } from '@composition/startup/print';
import { runApp, type AppContext, type OnStarting } from '@composition/startup/run-app';
import { declareTopics, startDelivery } from '@composition/startup/start-delivery';
import { requireCluster } from '@composition/startup/worker';
import { AdminPasswords } from '@application/admin/admin-passwords';
import { FirstStart } from '@application/installation/first-start';
import { InstallationSeal } from '@application/installation/installation-seal';
import { ApiKeys } from '@application/projects/api-keys';
import type { Config } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import type { Logger } from '@platform/logging/logger';
import { Readiness } from '@platform/operations/readiness';
import { GatewayModule } from './gateway.module.js';
import { serveConsole } from './console/serve-console.js';
import { installPipeline } from './http/http.module.js';
import { newFastify } from './http/pipeline/new-fastify.js';
import { AdminApiDocument } from './operations/admin-api-document.js';
import { ClientApiDocument } from './operations/client-api-document.js';
import type { ApiDocument } from './operations/api-document.js';
import { shutDown } from './startup/shutdown.js';
import { addressesText, startupBanner } from './startup/startup-banner.js';

const KEY_NOT_IN_FORCE =
  'BOOTSTRAP_API_KEY is not in force: no active key has this secret, and the setting is used at the first start only';
const PASSWORD_NOT_IN_FORCE =
  'ADMIN_PASSWORD is not in force: another password is stored, and the setting is used at the first start only. ' +
  'A password that is lost is replaced by npm run admin -- reset-password';

export function runGateway(onStarting: OnStarting, isAlone: boolean): Promise<void> {
  const address = ({ host, port }: Config) => ({ host, port, hostVariable: 'HOST', portVariable: 'PORT' });
  const service = isAlone ? 'gateway' : 'conversation-webhook-service';
  return runApp({ role: 'gateway', service, start: (context) => start(context, isAlone), shutDown, address }, onStarting);
}

async function start(context: AppContext, isAlone: boolean): Promise<NestFastifyApplication> {
  const { config, logger, print } = context;
  if (isAlone) requireCluster(config);
  const key = InstallationKey.of(config);
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.forRoot(context, key, isAlone), newFastify(), {
    bodyParser: false,
    abortOnError: false,
    logger,
  });
  try {
    await app.get(InstallationSeal).compare(() => key.keep());
    const address = await serve(app, config, print, isAlone);
    logStart(context, isAlone ? 'gateway' : 'service', address);
    await warnOfOtherSecrets(app, config, logger);
  } catch (failure) {
    await shutDown(app);
    throw failure;
  }
  return app;
}

async function serve(app: NestFastifyApplication, config: Config, print: Print, isAlone: boolean): Promise<string> {
  installPipeline(app);
  serveConsole(app.getHttpAdapter().getInstance());
  for (const document of [ClientApiDocument, AdminApiDocument]) app.get<ApiDocument>(document).describe(app, config);
  await app.init();
  const address = await listenAfterFirstStart(app, config, print);
  if (isAlone) void declareTopics(app);
  else await startDelivery(app);
  app.get(Readiness).set(true);
  await print(addressesText(address)).catch(() => undefined);
  return address;
}

/** The first key and password must exist before the server listens, and the banner needs the address, so it is printed after. */
async function listenAfterFirstStart(app: NestFastifyApplication, config: Config, print: Print): Promise<string> {
  const { bootstrapApiKey: apiKey, adminPassword, host, port } = config;
  let address: string | null = null;
  const listen = async () => {
    if (address === null) await listenAt(app, port, host);
    return (address ??= listeningUrl(app, host));
  };
  await app.get(FirstStart).run({ apiKey, adminPassword }, async (made) => announce(print, startupBanner(made, await listen())));
  return listen();
}

/** These have no effect once other secrets are stored; warn at the start, not at a failing request. */
async function warnOfOtherSecrets(app: NestFastifyApplication, config: Config, logger: Logger): Promise<void> {
  const { bootstrapApiKey, adminPassword } = config;
  const isUnknown = () => true;
  const isKeyInForce = bootstrapApiKey === null || (await app.get(ApiKeys).isActive(bootstrapApiKey).catch(isUnknown));
  if (!isKeyInForce) logger.warn(KEY_NOT_IN_FORCE);
  const isPasswordInForce = adminPassword === null || (await app.get(AdminPasswords).isStored(adminPassword).catch(isUnknown));
  if (!isPasswordInForce) logger.warn(PASSWORD_NOT_IN_FORCE);
}

/** If printing fails, the next start creates new secrets. */
async function announce(print: Print, text: string): Promise<void> {
  await print(text).catch(({ message }: Error) => {
    throw new Error(`what the first start has to tell could not be printed, the next one does it again: ${message}`);
  });
}
