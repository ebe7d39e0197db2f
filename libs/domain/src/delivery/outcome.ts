export const NETWORK_ERRORS = [
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'ssrf_blocked',
  'redirect',
  'network_error',
] as const;

export type NetworkErrorCode = (typeof NETWORK_ERRORS)[number];

/** `none`: no answer came, or its status is in none of the other classes. */
export const RESPONSE_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;
export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

export type Outcome =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'unreached'; readonly error: NetworkErrorCode };

export type Verdict = 'success' | 'retry' | 'reject';

const RETRIED_CLIENT_ERRORS: readonly number[] = [408, 429];

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function responseClassOf(status: number | null): ResponseClass {
  return RESPONSE_CLASSES.find((name) => name === `${Math.floor((status ?? 0) / 100)}xx`) ?? 'none';
}

/** A 4xx other than 408 and 429 is final; other statuses and missing responses are retried. */
export function verdictOn(outcome: Outcome): Verdict {
  if (outcome.kind === 'unreached') return 'retry';
  const { status } = outcome;
  if (isSuccess(status)) return 'success';
  return status >= 400 && status < 500 && !RETRIED_CLIENT_ERRORS.includes(status) ? 'reject' : 'retry';
}
