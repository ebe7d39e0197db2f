/** The reasons for which a POST got no HTTP response (api-contract §8.8). */
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

/** The outcome of one POST. */
export type Outcome =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'unreached'; readonly error: NetworkErrorCode };

/** Whether an attempt succeeded, may be retried, or was rejected permanently (specification, Retry schedule). */
export type Verdict = 'success' | 'retry' | 'reject';

const RETRIED_CLIENT_ERRORS: readonly number[] = [408, 429];

/** Only a 2xx status is a success (specification, Retry schedule). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * A 4xx other than 408 and 429 is final; any other status and a missing response are retried (specification, Retry
 * schedule).
 */
export function verdictOn(outcome: Outcome): Verdict {
  if (outcome.kind === 'unreached') return 'retry';
  const { status } = outcome;
  if (isSuccess(status)) return 'success';
  return status >= 400 && status < 500 && !RETRIED_CLIENT_ERRORS.includes(status) ? 'reject' : 'retry';
}
