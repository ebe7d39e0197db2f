/** The error codes of the API. The gateway maps each to a status. */
export type ErrorCode =
  | 'parameter_missing'
  | 'parameter_invalid'
  | 'parameter_too_long'
  | 'parameter_conflict'
  | 'phone_invalid_format'
  | 'email_invalid_format'
  | 'metadata_invalid'
  | 'metadata_too_large'
  | 'json_invalid'
  | 'cursor_invalid'
  | 'url_invalid'
  | 'event_filter_invalid'
  | 'time_range_invalid'
  | 'idempotency_key_invalid'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'admin_password_invalid'
  | 'admin_session_invalid'
  | 'csrf_token_invalid'
  | 'insufficient_scope'
  | 'resource_missing'
  | 'limit_exceeded'
  | 'event_expired'
  | 'history_unavailable'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'external_id_taken'
  | 'customer_exists'
  | 'customer_already_linked'
  | 'conversation_handed_off'
  | 'conversation_ended'
  | 'conversation_busy'
  | 'conversation_not_handed_off'
  | 'appointment_invalid_transition'
  | 'appointment_duplicate'
  | 'webhook_endpoint_disabled'
  | 'delivery_not_cancellable'
  | 'session_closed'
  | 'task_limit_reached'
  | 'version_conflict'
  | 'request_too_large'
  | 'content_type_unsupported'
  | 'rate_limit_exceeded'
  | 'backup_refused'
  | 'backup_failed'
  | 'internal_error'
  | 'agent_unavailable'
  | 'service_unavailable'
  | 'reply_timeout';

export interface ErrorExtras {
  readonly existing_id?: string;
  readonly conversation_id?: string;
  readonly message_id?: string;
  readonly current_status?: string;
  readonly allowed_transitions?: readonly string[];
  readonly current_version?: number;
  readonly required_scope?: string;
}

export interface ErrorDetails {
  readonly param?: string;
  readonly extras?: ErrorExtras;
  /** For the `Retry-After` header, in seconds. */
  readonly retryAfter?: number;
}

/** A refusal reported to the client: a code, a sentence without personal data, and the code's extra members. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

/** The error for an id that is unknown, of another project, or malformed: indistinguishable to clients. */
export function resourceMissing(kind: string, param = 'id'): DomainError {
  return new DomainError('resource_missing', `No such ${kind}.`, { param });
}
