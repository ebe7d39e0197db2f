/** What a log line may carry beside its sentence. Nothing here can hold a secret, content or anything personal. */
export interface LogFields {
  readonly requestId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly projectId?: string;
  readonly correlationId?: string;
  readonly component?: string;
  readonly stream?: string;
  readonly position?: string;
  readonly topic?: string;
  readonly id?: string;
  readonly count?: number;
  readonly error?: ErrorFields;
  readonly config?: Readonly<Record<string, string>>;
}

export interface ErrorFields {
  readonly name: string;
  readonly code?: string;
  /** Call sites only: a message may quote what a client sent. */
  readonly at: readonly string[];
}

const ALLOWED: ReadonlySet<string> = new Set<keyof LogFields>([
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'projectId',
  'correlationId',
  'component',
  'stream',
  'position',
  'topic',
  'id',
  'count',
  'error',
  'config',
]);

/** Drops every field that is not on the list, whatever a caller smuggled in. */
export function allowed(fields: LogFields): LogFields {
  for (const name in fields) {
    if (!ALLOWED.has(name)) return Object.fromEntries(Object.entries(fields).filter(([key]) => ALLOWED.has(key)));
  }
  return fields;
}

export function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { code } = error as { code?: unknown };
  const at = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, ...(typeof code === 'string' ? { code } : {}), at: at.slice(0, 12).map((line) => line.trim()) };
}
