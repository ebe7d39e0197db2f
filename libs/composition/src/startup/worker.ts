import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InstanceRole } from '@application/instances/living-instances';
import { FirstStart } from '@application/installation/first-start';
import { InstallationSeal } from '@application/installation/installation-seal';
import { Shutdown } from '@application/runtime/shutdown';
import { type Config, ConfigError } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/at-first-signal';
import { Readiness } from '@platform/operations/readiness';
import { Engine } from '@ports/engine.port';
import { Tracer } from '@ports/tracer.port';
import { listenAt, listeningUrl } from './listening-url.js';
import { logStart } from './log-start.js';
import { runApp, type AppContext, type OnStarting } from './run-app.js';

const FINISH_WITHIN_MS = 20_000;

export interface Worker {
  readonly role: InstanceRole;
  readonly module: (context: AppContext, key: InstallationKey) => DynamicModule;
  /** For the operator's routes, unless the settings name one. */
  readonly port: number;
  readonly begin?: (app: NestFastifyApplication) => Promise<void>;
}

/** Runs a worker beside gateways, so on a shared engine; see `runApp`. */
export function runWorker(worker: Worker, onStarting: OnStarting): Promise<void> {
  const address = ({ operationsHost, operationsPort }: Config) => ({
    host: operationsHost,
    port: operationsPort ?? worker.port,
    hostVariable: 'OPERATIONS_HOST',
    portVariable: 'OPERATIONS_PORT',
  });
  const life = {
    role: worker.role,
    service: worker.role,
    start: (context: AppContext) => start(worker, context, address(context.config)),
    shutDown,
    address,
  };
  return runApp(life, onStarting);
}

/** Refuses an engine for a single process to a process that is only a part of the service. */
export function requireCluster({ engine }: Config): void {
  if (engine !== 'cluster') throw new ConfigError('ENGINE must be cluster for a process that is a part of the service');
}

async function start(worker: Worker, context: AppContext, { host, port }: { host: string; port: number }) {
  requireCluster(context.config);
  const key = InstallationKey.of(context.config);
  const options = { abortOnError: false, logger: context.logger };
  const module = worker.module(context, key);
  const app = await NestFactory.create<NestFastifyApplication>(
    module,
    new FastifyAdapter({ forceCloseConnections: true }),
    options,
  );
  try {
    await app.get(InstallationSeal).compare(() => key.keep());
    const firstStart = app.get(FirstStart);
    if (!(await firstStart.isOver())) context.logger.info('waiting for the first start of a gateway');
    await firstStart.finished();
    await listenAt(app, port, host);
    await worker.begin?.(app);
    app.get(Readiness).set(true);
    await context.print(`Listening on ${listeningUrl(app, host)}\n`).catch(() => undefined);
    logStart(context, worker.role, listeningUrl(app, host));
  } catch (failure) {
    await shutDown(app);
    throw failure;
  }
  return app;
}

/** Finishes work in progress within 20 s, and closes the engine last. */
async function shutDown(app: NestFastifyApplication): Promise<boolean> {
  app.get(Readiness).set(false);
  app.get(Shutdown).begin();
  const isDrained = await withinMs(app.close(), FINISH_WITHIN_MS);
  await app.get(Engine).close();
  await app.get(Tracer).close();
  await app.get(Logger).end();
  return isDrained;
}
