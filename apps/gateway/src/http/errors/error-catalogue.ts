import { EVENT_WINDOW_DAYS } from '@domain/event/event-window';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { MAX_OPEN_TASKS } from '@domain/task/task-slots.decider';
import { ADMIN_ERRORS } from './admin-errors.js';
import type { CatalogueEntry } from './catalogue-entry.js';
import { CONVERSATION_ERRORS } from './conversation-errors.js';
import { METADATA_BOUNDS } from '../body/metadata-text.js';
import { MAX_IDEMPOTENCY_KEY_LENGTH, MAX_BODY_BYTES, MAX_BODY_CHUNKS, MAX_HEADER_BYTES } from '../pipeline/request-bounds.js';

/** Source of `/docs/errors` and of the errors in the OpenAPI document. */
export const ERROR_CATALOGUE = {
  parameter_missing: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'A required parameter is absent, null or empty.',
    cure: 'Send the parameter that `param` names.',
  },
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'A parameter has the wrong type or form, or its text holds a lone surrogate.',
    cure: 'Correct the parameter that `param` names.',
  },
  parameter_too_long: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'A text has more characters (Unicode code points) than it may have.',
    cure: 'Shorten the parameter that `param` names.',
  },
  parameter_conflict: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'Two parameters exclude each other.',
    cure: 'Send one of the two.',
  },
  phone_invalid_format: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The phone number is not in E.164 format.',
    cure: 'Send a plus sign and 2 to 15 digits, the first not 0: +4915112345678.',
  },
  email_invalid_format: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The e-mail address has no valid form.',
    cure: 'Send an address such as name@example.com.',
  },
  metadata_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: `Metadata is not an object, is nested deeper than ${METADATA_BOUNDS.levels} levels, or holds a lone surrogate.`,
    cure: `Send a JSON object of at most ${METADATA_BOUNDS.levels} levels; the object itself is the first.`,
  },
  metadata_too_large: {
    status: 400,
    type: 'invalid_request_error',
    cause: `Metadata has more than ${METADATA_BOUNDS.kib} KiB of UTF-8, counted as sent.`,
    cure: 'Keep large data on your side and send a reference to it.',
  },
  json_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The body is not a JSON object in UTF-8, or is nested too deeply.',
    cure: 'Send one JSON object, encoded as UTF-8.',
  },
  cursor_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The cursor was altered, or belongs to another kind of list.',
    cure: "Send a page's `next_cursor` unchanged, or start again without a cursor.",
  },
  url_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The URL has a scheme, port, host or part that webhooks are not sent to.',
    cure: 'Send a public https: URL without user name, password and fragment.',
  },
  event_filter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'An event filter is not well-formed.',
    cure: 'Send `*`, a prefix such as `appointment.*`, or a type such as `appointment.created`.',
  },
  time_range_invalid: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The end does not lie after the start, a time lies outside the years 0000 to 9999, or the time zone is unknown.',
    cure: 'Send an end after the start, times in those years, and an IANA time zone.',
  },
  idempotency_key_invalid: {
    status: 400,
    type: 'idempotency_error',
    cause: `The Idempotency-Key is empty, longer than ${MAX_IDEMPOTENCY_KEY_LENGTH} characters, or not printable ASCII, or two different ones are sent.`,
    cure: `Send 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters, such as a UUID.`,
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    cause: 'The key was used within 24 hours for another endpoint or another body.',
    cure: 'Use a new key for a new request, and the same body for a retry.',
  },
  idempotency_key_in_use: {
    status: 409,
    type: 'idempotency_error',
    retry: 'always',
    cause: 'The first request with this key is still being executed.',
    cure: 'Wait as long as `Retry-After` says and send the same request again.',
  },
  api_key_missing: {
    status: 401,
    type: 'authentication_error',
    cause: 'The request carries no API key.',
    cure: 'Send the header `Authorization: Bearer <API key>`.',
  },
  api_key_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'No such API key exists.',
    cure: 'Check that the whole key is sent, and that it belongs to this installation.',
  },
  api_key_expired: {
    status: 401,
    type: 'authentication_error',
    cause: 'The API key has passed its end.',
    cure: 'Use its successor, or create a new key.',
  },
  api_key_revoked: {
    status: 401,
    type: 'authentication_error',
    cause: 'The API key was revoked.',
    cure: 'Create a new key.',
  },
  ...ADMIN_ERRORS,
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    cause: 'The API key lacks the scope that `required_scope` names.',
    cure: 'Use a key with that scope, or grant it.',
  },
  resource_missing: {
    status: 404,
    type: 'invalid_request_error',
    cause: 'The id that `param` names is unknown in this project.',
    cure: 'Check the id and the project of the API key.',
  },
  limit_exceeded: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'There are as many as there may be: webhook endpoints or API keys of a project, deliveries of an event.',
    cure: 'Delete an endpoint or revoke a key that is no longer needed. Instead of replaying an event once more, read its appointment.',
  },
  event_expired: {
    status: 404,
    type: 'invalid_request_error',
    cause: `The event is older than ${EVENT_WINDOW_DAYS} days.`,
    cure: 'Read the present state of the appointment instead.',
  },
  route_not_found: {
    status: 404,
    type: 'invalid_request_error',
    cause: 'No endpoint has this path.',
    cure: 'Compare the path with the documentation; all of them begin with /v1.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    cause: 'The path exists, but not with this method.',
    cure: 'Use one of the methods in `Allow`.',
  },
  external_id_taken: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'A live conversation already has this external_id; `existing_id` names it.',
    cure: 'Post to that conversation, or end it first.',
  },
  customer_exists: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'Another live customer has this phone number or e-mail address; `existing_id` names it.',
    cure: 'Work with that customer.',
  },
  customer_already_linked: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The conversation is linked with another customer; `existing_id` names that one.',
    cure: 'Work with that customer, or begin another conversation.',
  },
  ...CONVERSATION_ERRORS,
  appointment_invalid_transition: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The appointment cannot go from `current_status` to what was asked.',
    cure: 'Choose one of `allowed_transitions`.',
  },
  appointment_duplicate: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'Another live appointment is for the same customer, service, resource and time; `existing_id` names it.',
    cure: 'Choose another time, or move or cancel that appointment first.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The webhook endpoint is disabled.',
    cure: 'Enable it, then send the request again.',
  },
  delivery_not_cancellable: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The delivery succeeded or failed, or an attempt is under way; `current_status` says which.',
    cure: 'While an attempt is under way, send the request again once it is over.',
  },
  session_closed: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The session is closed.',
    cure: 'Open a new one.',
  },
  task_limit_reached: {
    status: 409,
    type: 'invalid_request_error',
    cause: `The project has ${MAX_OPEN_TASKS} open tasks already, dry runs included.`,
    cure: 'Wait as long as `Retry-After` says, or cancel a task that is no longer needed, and send it anew, under another key.',
  },
  version_conflict: {
    status: 412,
    type: 'invalid_request_error',
    cause: 'The appointment was changed meanwhile; `current_version` is its version now.',
    cure: 'Read it again and decide again.',
  },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    cause: `The body is larger than ${MAX_BODY_BYTES / 1024} KiB or comes in more than ${MAX_BODY_CHUNKS} chunks, or path and headers are larger than ${MAX_HEADER_BYTES / 1024} KiB together.`,
    cure: 'Send less.',
  },
  content_type_unsupported: {
    status: 415,
    type: 'invalid_request_error',
    cause: 'The body is not declared as JSON in UTF-8, or has a `Content-Encoding`.',
    cure: 'Send `Content-Type: application/json` and the body as it is, not compressed.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'always',
    cause:
      'The project sends more requests of this kind than its limit allows, asks for too many long answers or sends too many heavy bodies at once, or too many of its requests wait for their bodies or replies; or, at the login, too many passwords were wrong.',
    cure: 'Wait as long as `Retry-After` says. Where a rate was the cause, the `RateLimit` headers tell what is left; else send fewer at once.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retry: 'once',
    cause: 'Something went wrong on our side.',
    cure: 'Try again with the same Idempotency-Key; without one, look first whether the request was carried out. Report the `request_id` when it stays.',
  },
  agent_unavailable: {
    status: 502,
    type: 'api_error',
    retry: 'once',
    cause: 'The agent failed to answer. The message is stored; `message_id` names it.',
    cure: 'With an Idempotency-Key, send the same request again with it, after `Retry-After` where there is one: the agent is asked again for that message. Without one, read the transcript first: a further post is a further message.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    retry: 'once',
    cause: 'A store is out of reach, a list is made anew, all connections are in use, or the service is stopping.',
    cure: 'Wait as long as `Retry-After` says and try again with the same Idempotency-Key; without one, look first whether the request was carried out.',
  },
  reply_timeout: {
    status: 504,
    type: 'api_error',
    retry: 'once',
    cause: 'The agent did not answer within the window. The message is stored; the reply follows in the transcript.',
    cure: 'Read the transcript, or send the same request with the same Idempotency-Key. Without one, a further post is a further message.',
  },
} as const satisfies Record<ErrorCode, CatalogueEntry>;

export function catalogueEntry(code: ErrorCode): CatalogueEntry {
  return ERROR_CATALOGUE[code];
}
