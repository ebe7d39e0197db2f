export type ErrorType =
  'invalid_request_error' | 'authentication_error' | 'permission_error' | 'idempotency_error' | 'rate_limit_error' | 'api_error';

export interface CatalogueEntry {
  readonly status: number;
  readonly type: ErrorType;
  /**
   * Whether the same request may succeed later without being changed (`Service-Should-Retry`). `once`: it may have been carried
   * out, so that a POST without a key must not be sent again unseen.
   */
  readonly retry?: 'always' | 'once';
  readonly cause: string;
  readonly cure: string;
}
