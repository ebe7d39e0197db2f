import type { NetworkErrorCode } from '@domain/delivery/outcome';
import { BlockedAddress, UnresolvedName } from './hardening/guarded-connectors.js';

const CODES: Readonly<Record<string, NetworkErrorCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls_error',
};
const OF_TLS = /^ERR_(SSL|TLS)_|CERT|ISSUER|SIGNATURE|CRL|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/;

/** What the delivery log calls this failure. */
export function networkErrorCode(error: unknown): NetworkErrorCode {
  if (error instanceof BlockedAddress) return 'ssrf_blocked';
  if (error instanceof UnresolvedName) return 'dns_error';
  // Several addresses failed, each in its own way: the most telling one counts.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const codes = error.errors.map(networkErrorCode);
    return codes.find((code) => code !== 'network_error') ?? 'network_error';
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return 'network_error';
  // The HTTP client uses this code for a broken connection and for an answer that is none.
  if (code === 'UND_ERR_SOCKET') return /bad (response|upgrade)/.test(`${message}`) ? 'network_error' : 'connection_reset';
  return CODES[code] ?? (OF_TLS.test(code) ? 'tls_error' : 'network_error');
}
