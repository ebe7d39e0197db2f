import type { DynamicModule } from '@nestjs/common';
import type { InstanceRole } from '@application/instances/living-instances';
import { configOfProcess } from '@platform/config/config-of-process';
import { type Config, ConfigError } from '@platform/config/config';
import { Logger } from '@platform/logging/logger';
import { withinMs } from '@platform/operations/at-first-signal';
import type { Tracer } from '@ports/tracer.port';
import { loadEngine } from '../engine.module.js';
import { loadTracer } from './load-tracer.js';
import { ignoreClosedOutput, print, type Print } from './print.js';
import { startRefusal, type ListenAddress } from './start-refusal.js';
import { watchRejections } from './watch-rejections.js';

const START_WITHIN_MS = 2_000;
/** The clock's timers keep no process alive: a start that waits for servers would end silently. */
const KEPT_ALIVE_EVERY_MS = 1_000;

/** Gets a function that shuts the app down and exits. */
export type OnStarting = (shutDownAndExit: (signal: NodeJS.Signals) => void) => void;

export interface AppContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly print: Print;
  readonly engine: DynamicModule;
}

interface AppLife<App> {
  readonly role: InstanceRole;
  /** What traces call it. */
  readonly service: string;
  /** Resolves once the app serves. A failed start leaves nothing running. */
  start(context: AppContext): Promise<App>;
  /** Whether all work in progress ended in time. */
  shutDown(app: App): Promise<boolean>;
  /** The address and its settings. */
  address(config: Config): ListenAddress;
}

/** Runs an app; resolves once it serves, and exits if the start fails. Calls `onStarting` as soon as there is something to shut down. */
export async function runApp<App>(life: AppLife<App>, onStarting: OnStarting): Promise<void> {
  ignoreClosedOutput();
  const alive = setInterval(() => undefined, KEPT_ALIVE_EVERY_MS);
  let logger: Logger | undefined;
  try {
    const config = configOfProcess();
    const tracer = await loadTracer(config, life.service, (line) => logger?.warn(line, 'tracing'));
    const log = (logger = new Logger(config.logLevel, tracer.isOn ? () => tracer.logIds : undefined));
    const engine = await loadEngine(config, life.role);
    watchRejections(engine, log);
    const starting = start(life, { config, logger: log, tracer, print, engine: engine.open() });
    onStarting((signal) => void end(life, starting, log, signal).catch((error: unknown) => fail(error, log)));
    await starting;
  } catch (error) {
    await fail(error, logger);
  } finally {
    clearInterval(alive);
  }
}

/** Shuts the app down and exits. A start still waiting after two seconds is abandoned as by a crash: it has served nothing. */
async function end<App>(
  { shutDown }: AppLife<App>,
  starting: Promise<App>,
  logger: Logger,
  signal: NodeJS.Signals,
): Promise<never> {
  const from = performance.now();
  if (await withinMs(starting, START_WITHIN_MS)) {
    const app = await starting;
    logger.info('stopping', { signal });
    const drained = await shutDown(app);
    logger.info('stopped', { signal, drained, duration_ms: Math.round(performance.now() - from) });
  }
  // A process that ends itself has set another code.
  process.exit(process.exitCode ?? 0);
}

/** Rejects with a `ConfigError` when a setting prevents the start. */
async function start<App>(life: AppLife<App>, context: AppContext): Promise<App> {
  try {
    return await life.start(context);
  } catch (failure) {
    const refusal = startRefusal(failure, context.config, life.address(context.config));
    if (!(refusal instanceof ConfigError)) context.logger.failure('the start failed', failure);
    throw refusal;
  }
}

/** Prints one line; the log has the details. */
async function fail(error: unknown, logger?: Logger): Promise<never> {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await logger?.end();
  process.exit(1);
}
