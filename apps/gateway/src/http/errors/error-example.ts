import { allowedTransitions } from '@domain/appointment/appointment';
import type { ErrorCode, ErrorExtras } from '@domain/kernel/domain-error';
import { shapeOf } from '../body/valid-body.js';
import { catalogueEntry } from './error-catalogue.js';
import type { DocumentedRoute } from '../routes/project-route.js';

type Named = ErrorExtras & { readonly param?: string };

const CONVERSATION = 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const MESSAGE = 'msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

const NAMED: { readonly [code in ErrorCode]?: Named } = {
  parameter_missing: { param: 'content' },
  parameter_invalid: { param: 'metadata' },
  parameter_too_long: { param: 'external_id' },
  parameter_conflict: { param: 'ending_before' },
  phone_invalid_format: { param: 'phone' },
  email_invalid_format: { param: 'email' },
  metadata_invalid: { param: 'metadata' },
  metadata_too_large: { param: 'metadata' },
  cursor_invalid: { param: 'starting_after' },
  idempotency_key_invalid: { param: 'Idempotency-Key' },
  url_invalid: { param: 'url' },
  event_filter_invalid: { param: 'event_filters' },
  time_range_invalid: { param: 'ends_at' },
  resource_missing: { param: 'id' },
  event_expired: { param: 'id' },
  external_id_taken: { param: 'external_id', existing_id: CONVERSATION },
  customer_exists: { param: 'phone', existing_id: 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0' },
  customer_already_linked: { param: 'customer', existing_id: 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0' },
  conversation_handed_off: { conversation_id: CONVERSATION },
  conversation_ended: { conversation_id: CONVERSATION },
  appointment_invalid_transition: { current_status: 'cancelled', allowed_transitions: allowedTransitions('cancelled') },
  appointment_duplicate: { existing_id: 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0' },
  delivery_not_cancellable: { current_status: 'delivering' },
  version_conflict: { current_version: 3 },
  agent_unavailable: { conversation_id: CONVERSATION, message_id: MESSAGE },
  reply_timeout: { conversation_id: CONVERSATION, message_id: MESSAGE },
};

type Asked = Pick<DocumentedRoute, 'scope' | 'body' | 'refers' | 'filters'>;

function memberOf({ body, refers, filters }: Asked, code: ErrorCode): string | undefined {
  if (code === 'resource_missing') return refers;
  if (code === 'parameter_invalid' && !body) return Object.keys(filters ?? {})[0];
  return body && shapeOf(body).properties.find(({ rules }) => rules.some((rule) => rule.code === code))?.name;
}

export function errorExample(code: ErrorCode, route: Asked) {
  const param = memberOf(route, code);
  const { type, cause } = catalogueEntry(code);
  const about = { request_id: 'req_01J9Z3K8Q4T6V8X0A2C4E6G8J0', doc_url: `/docs/errors#${code}` };
  return {
    error: {
      type,
      code,
      message: cause.replaceAll('`', ''),
      ...(code === 'insufficient_scope' ? { required_scope: route.scope } : NAMED[code]),
      ...(param === undefined ? {} : { param }),
      ...about,
    },
  };
}
