/** The error object of the API, or its substitute where there was no answer. */
export class Problem extends Error {
  constructor(
    /** `unreachable` without an answer. */
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** 0 without an answer. */
    readonly status: number,
  ) {
    super(message);
  }
}

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer. Rejects with a `Problem`. */
export async function answerOf<Data>(call: Promise<Answered<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call.catch(unreachable);
  if (response.ok && data !== undefined && data !== null) return data;
  throw problemOf(error, response);
}

/** Of a call that got no answer. */
export function unreachable({ message }: Error): never {
  throw new Problem('unreachable', message, null, 0);
}

function problemOf(body: unknown, { status, headers }: Response): Problem {
  const error = ((body ?? {}) as { error?: { code?: string; message?: string } }).error ?? {};
  return new Problem(error.code ?? `http_${status}`, error.message ?? `HTTP ${status}`, headers.get('request-id'), status);
}
