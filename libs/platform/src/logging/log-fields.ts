/** The fields of a log line by their written names. None may hold a secret, content or personal data. */
export interface LogFields {
  readonly request_id?: string;
  /** Where requests are traced. */
  readonly trace_id?: string;
  readonly client_request_id?: string;
  /** Set when the client disconnected before the answer. */
  readonly client_gone?: true;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly duration_ms?: number;
  /** The number of `Service-Warning` lines, before the limit on their number. */
  readonly warnings?: number;
  readonly project_id?: string;
  readonly event_id?: string;
  readonly endpoint_id?: string;
  readonly delivery_id?: string;
  readonly attempt?: number;
  readonly attempts?: number;
  readonly response_status?: number;
  /** The error code of the answer, or of a failed webhook attempt. */
  readonly error_code?: string;
  readonly reason?: string;
  readonly failing_since?: string;
  readonly next_attempt_at?: string;
  readonly version?: string;
  readonly engine?: string;
  readonly serves?: string;
  readonly address?: string;
  readonly signal?: string;
  readonly drained?: boolean;
  readonly rows?: number;
  readonly config?: Readonly<Record<string, string>>;
}

export interface ErrorFields {
  readonly name: string;
  readonly code?: string;
  /** SQLite's own description, which quotes no content. */
  readonly reason?: string;
  /** Call sites only: an error's message may quote a request. */
  readonly at: readonly string[];
}

const ALLOWED: ReadonlySet<string> = new Set<keyof LogFields>([
  'request_id',
  'trace_id',
  'client_request_id',
  'client_gone',
  'method',
  'route',
  'status',
  'duration_ms',
  'warnings',
  'project_id',
  'event_id',
  'endpoint_id',
  'delivery_id',
  'attempt',
  'attempts',
  'response_status',
  'error_code',
  'reason',
  'failing_since',
  'next_attempt_at',
  'version',
  'engine',
  'serves',
  'address',
  'signal',
  'drained',
  'rows',
  'config',
]);

export function allowed(fields: LogFields): LogFields {
  for (const name in fields) {
    if (!ALLOWED.has(name)) return Object.fromEntries(Object.entries(fields).filter(([key]) => ALLOWED.has(key)));
  }
  return fields;
}

/** Logs a thrown value by name, code, SQLite's reason and twelve call sites, never by its message. */
export function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { code, errstr } = error as { code?: unknown; errstr?: unknown };
  const at = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...(code === 'ERR_SQLITE_ERROR' && typeof errstr === 'string' && { reason: errstr }),
    at: at.slice(0, 12).map((line) => line.trim()),
  };
}
