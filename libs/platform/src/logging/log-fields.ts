/** The fields of a log line, by their written names. None can hold a secret, content or personal data. */
export interface LogFields {
  readonly request_id?: string;
  /** The client's own id of its request. */
  readonly client_request_id?: string;
  /** Present where the client disconnected before the answer. */
  readonly client_gone?: true;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly duration_ms?: number;
  /** How many `Service-Warning` lines the answer has, or would have if all were told. */
  readonly warnings?: number;
  readonly project_id?: string;
  readonly event_id?: string;
  readonly endpoint_id?: string;
  readonly delivery_id?: string;
  /** The number of an attempt, counted from 1, or how many were made. */
  readonly attempt?: number;
  readonly attempts?: number;
  /** Of a receiver. */
  readonly response_status?: number;
  /** The code of the error that a request was answered with, or of the failure of a webhook's attempt. */
  readonly error_code?: string;
  readonly reason?: string;
  /** ISO 8601. */
  readonly failing_since?: string;
  readonly next_attempt_at?: string;
  /** Of a start: the release, where it stores, which parts of the service it is, and where it listens. */
  readonly version?: string;
  readonly engine?: string;
  readonly serves?: string;
  readonly address?: string;
  /** Of an end: what asked for it, and whether all that was under way ended in time. */
  readonly signal?: string;
  readonly drained?: boolean;
  /** How many rows of a read model were made anew. */
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

/** Drops every field that is not on the list. */
export function allowed(fields: LogFields): LogFields {
  for (const name in fields) {
    if (!ALLOWED.has(name)) return Object.fromEntries(Object.entries(fields).filter(([key]) => ALLOWED.has(key)));
  }
  return fields;
}

/** What is logged of a thrown value: name, code, SQLite's reason and twelve call sites, never the message. */
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
