export type ErrorType =
  'invalid_request_error' | 'authentication_error' | 'permission_error' | 'idempotency_error' | 'rate_limit_error' | 'api_error';

export interface CatalogueEntry {
  readonly status: number;
  readonly type: ErrorType;
  /** Whether the same request may succeed later without being changed (`Service-Should-Retry`). */
  readonly retry?: true;
  readonly cause: string;
  readonly cure: string;
}
