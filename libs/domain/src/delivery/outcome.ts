/** Why no HTTP answer came (api-contract §8.8). */
export type NetworkErrorCode =
  | 'timeout'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'ssrf_blocked'
  | 'redirect'
  | 'network_error';
