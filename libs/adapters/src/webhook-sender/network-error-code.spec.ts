import { BlockedAddress, UnresolvedName } from './hardening/guarded-connectors.js';
import { networkErrorCode } from './network-error-code.js';

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('the name of a failure', () => {
  it.each([
    ['ssrf_blocked', new BlockedAddress()],
    ['dns_error', new UnresolvedName()],
    ['connection_refused', failure('ECONNREFUSED')],
    ['connection_reset', failure('ECONNRESET')],
    ['connection_reset', failure('EPIPE')],
    ['timeout', failure('ETIMEDOUT')],
    ['tls_error', failure('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['tls_error', failure('CERT_HAS_EXPIRED')],
    ['tls_error', failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['tls_error', failure('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')],
    ['tls_error', failure('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['tls_error', failure('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')],
    ['tls_error', failure('EPROTO')],
    ['tls_error', failure('UNSPECIFIED', 'unhandled critical extension')],
    ['tls_error', failure('ERR_OSSL_ASN1_WRONG_TAG')],
    ['network_error', failure('ENETUNREACH')],
    ['network_error', new Error('anything else')],
    ['connection_refused', new AggregateError([failure('ENETUNREACH'), failure('ECONNREFUSED')])],
    ['network_error', new AggregateError([failure('ENETUNREACH'), failure('EHOSTUNREACH')])],
    ['network_error', new AggregateError([])],
  ])('is %s', (name, error) => expect(networkErrorCode(error)).toBe(name));
});
