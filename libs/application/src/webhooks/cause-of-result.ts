import type { AttemptResult } from '@domain/delivery/delivery.events';
import type { NetworkErrorCode } from '@domain/delivery/outcome';
import type { IssueCause } from '@domain/issue/issue.events';

const MESSAGES: Readonly<Record<NetworkErrorCode, string>> = {
  timeout: 'The receiver did not answer in time.',
  dns_error: "The receiver's name was not found.",
  connection_refused: 'The receiver refused the connection.',
  connection_reset: 'The receiver broke the connection off.',
  tls_error: 'TLS with the receiver failed.',
  ssrf_blocked: "The receiver's address is not public.",
  redirect: 'The receiver answered with a redirect, which is not followed.',
  network_error: 'The receiver could not be reached.',
};

/** Why an attempt failed, without anything that the receiver wrote. */
export function causeOfResult({ status, errorCode }: Pick<AttemptResult, 'status' | 'errorCode'>): IssueCause {
  if (errorCode !== null) return { code: errorCode, message: MESSAGES[errorCode] };
  if (status === null) return { code: 'interrupted', message: 'The process that made the attempt ended before an answer.' };
  return { code: `http_${status}`, message: `The receiver answered ${status}.` };
}
