export type ErrorType =
  'invalid_request_error' | 'authentication_error' | 'permission_error' | 'idempotency_error' | 'rate_limit_error' | 'api_error';

export interface CatalogueEntry {
  readonly status: number;
  readonly type: ErrorType;
  /** Whether a retry may succeed. `once`: it may have been executed, so do not repeat a POST without a key. */
  readonly retry?: 'always' | 'once';
  readonly cause: string;
  readonly cure: string;
}
