import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type LevelWithSilent, type Logger as Pino } from 'pino';
import { LogDestination } from './log-destination.js';
import { allowed, describeError, type LogFields } from './log-fields.js';
import { readableLine } from './readable-lines.js';

/** Nest logs a failed start and throws it too; the caller prints it. */
const ALSO_THROWN: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'NestApplication']);

/** Nest components that log every module, route and listener at a start. */
const NOISY: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestMicroservice',
]);

/** Logs to standard error: JSON lines, or readable ones on a terminal. Also Nest's logger. */
export class Logger implements LoggerService {
  private readonly pino: Pino;
  private readonly endNow: () => Promise<void>;

  /** @param idsOf the ids of the work that a line is written in */
  constructor(level: LevelWithSilent, idsOf?: () => LogFields) {
    const { stream, end } = process.stderr.isTTY ? terminal() : lines();
    this.endNow = end;
    this.pino = pino({ level, base: null, ...(idsOf && { mixin: () => ({ ...idsOf() }) }) }, stream);
  }

  info(message: string, fields: LogFields = {}): void {
    this.pino.info(allowed(fields), message);
  }

  failure(message: string, error: unknown, fields: LogFields = {}): void {
    this.pino.error({ ...allowed(fields), error: describeError(error) }, message);
  }

  log(message: unknown, ...rest: readonly unknown[]): void {
    const fields = fieldsOf(rest);
    this.pino[NOISY.has(fields.component) ? 'debug' : 'info'](fields, String(message));
  }

  /** `rest` ends with the component, as Nest passes it, possibly after fields. */
  warn(message: unknown, ...rest: readonly unknown[]): void {
    this.pino.warn(fieldsOf(rest), String(message));
  }

  error(message: unknown, ...rest: readonly unknown[]): void {
    const component = rest.at(-1);
    if (ALSO_THROWN.has(component)) return;
    const error = message instanceof Error ? describeError(message) : undefined;
    this.pino.error({ component: typeof component === 'string' ? component : undefined, error }, error?.name ?? String(message));
  }

  debug(message: unknown, ...rest: readonly unknown[]): void {
    if (this.pino.isLevelEnabled('debug')) this.pino.debug(fieldsOf(rest), String(message));
  }

  verbose(message: unknown, component?: string): void {
    this.pino.trace({ component }, String(message));
  }

  fatal(message: unknown, component?: string): void {
    this.pino.fatal({ component }, String(message));
  }

  /** Writes what is still in memory; call it last. */
  end(): Promise<void> {
    return this.endNow();
  }
}

function fieldsOf(rest: readonly unknown[]): LogFields & { readonly component: unknown } {
  const [fields, component] = rest.length > 1 ? (rest as [LogFields, unknown]) : [{}, rest[0]];
  return { component, ...allowed(fields) };
}

function terminal(): { stream: DestinationStream; end: () => Promise<void> } {
  return { stream: { write: (line) => void process.stderr.write(readableLine(line)) }, end: () => Promise.resolve() };
}

function lines(): { stream: DestinationStream; end: () => Promise<void> } {
  const stream = new LogDestination(process.stderr.fd);
  return { stream, end: () => stream.end() };
}
