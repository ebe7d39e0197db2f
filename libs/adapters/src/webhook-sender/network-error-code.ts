import type { NetworkErrorCode } from '@domain/delivery/outcome';
import { BlockedAddress, UnresolvedName } from './hardening/guarded-connectors.js';

const CODES: Readonly<Record<string, NetworkErrorCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls_error',
};
/** Node reports unnamed certificate faults as `UNSPECIFIED`. */
const OF_TLS =
  /^ERR_(SSL|TLS|OSSL)_|^UNSPECIFIED$|CERT|ISSUER|SIGNATURE|CRL|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/;

export function networkErrorCode(error: unknown): NetworkErrorCode {
  if (error instanceof BlockedAddress) return 'ssrf_blocked';
  if (error instanceof UnresolvedName) return 'dns_error';
  // Of several failed addresses the most specific reason counts.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const codes = error.errors.map(networkErrorCode);
    return codes.find((code) => code !== 'network_error') ?? 'network_error';
  }
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'network_error';
  return CODES[code] ?? (OF_TLS.test(code) ? 'tls_error' : 'network_error');
}
