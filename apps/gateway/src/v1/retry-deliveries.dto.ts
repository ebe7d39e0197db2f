import { ApiSchema } from '@nestjs/swagger';
import { RetryDeliveries } from '@application/webhooks/bulk/bulk.commands';
import {
  RETRIED_STATUSES,
  USUAL_PER_SECOND,
  type RetriedStatus,
  type RetryMode,
  type RetryParameters,
} from '@application/webhooks/bulk/retry-parameters';
import type { RequestContext } from '@application/runtime/request-context';
import { NETWORK_ERRORS, RESPONSE_CLASSES, type NetworkErrorCode, type ResponseClass } from '@domain/delivery/outcome';
import { EVENT_FILTER_PATTERN, MAX_EVENT_FILTER_LENGTH } from '@domain/endpoint/event-filter';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { withMeanings } from '../http/docs/with-meanings.js';
import { FlagField, NestedField, PatternField } from '../http/fields/fields.js';
import { has, isAbsent, related, rule, withRules } from '../http/fields/rules.js';
import { EnumField, InstantField, TextListField } from '../http/fields/value-fields.js';
import { DryRunField, ModeField, PerSecondField } from './bulk-fields.js';
import { unmatched } from './event-filters.js';

const MAX_ID_LENGTH = 64;
const BOUNDS = ['gte', 'gt', 'lt', 'lte'] as const;

const STATUS: Readonly<Record<RetriedStatus, string>> = {
  failed: 'given up.',
  cancelled: 'no longer to be sent, such as those of a time in which the endpoint was disabled.',
  retrying: 'the next attempt is to come; the fresh delivery takes its place.',
  pending: 'the first attempt is to come; the fresh delivery takes its place.',
};

const RESPONSE_CLASS: Readonly<Record<ResponseClass, string>> = {
  '2xx': 'the receiver took it.',
  '3xx': 'the answer was a redirect.',
  '4xx': 'the receiver refused it.',
  '5xx': 'the receiver failed.',
  none: 'no answer came.',
};

const NETWORK_ERROR: Readonly<Record<NetworkErrorCode, string>> = {
  timeout: 'no status line came in time.',
  dns_error: "the host's name has no address.",
  connection_refused: 'nothing listened at the address and port.',
  connection_reset: 'the connection was closed before a status line came.',
  tls_error: 'the certificate or the handshake was not accepted.',
  ssrf_blocked: 'the address, port or scheme was not allowed.',
  redirect: 'the answer was a redirect.',
  network_error: 'anything else.',
};

function KnownIdField(kind: IdKind, description: string): PropertyDecorator {
  return PatternField(idPattern(kind), 'parameter_invalid', {
    max: MAX_ID_LENGTH,
    complaint: `must be the id of an ${kind}`,
    description,
  });
}

function StatusesField(): PropertyDecorator {
  const isKnown = (value: unknown) => RETRIED_STATUSES.some((status) => status === value);
  const complaint = `must have only ${RETRIED_STATUSES.join(', ')}`;
  const areListed = TextListField(
    RETRIED_STATUSES.length,
    { schema: { enum: [...RETRIED_STATUSES] }, judge: rule('parameter_invalid', isKnown, complaint) },
    { description: withMeanings('Deliveries in one of these statuses; `["failed"]` when not given.', STATUS) },
  );
  const isFilled = (value: unknown) => !Array.isArray(value) || value.length > 0;
  const areSome = withRules([rule('parameter_invalid', isFilled, 'must not be empty')]);
  return (target, property) => {
    areListed(target, property);
    areSome(target, property);
  };
}

/** A whole project without a lower bound would be all that was ever sent. */
function IsBounded(): PropertyDecorator {
  const holds = (value: unknown, body: object) => {
    const { object_id, created_at } = body as RetryDeliveriesDto;
    return [value, object_id, created_at?.gte, created_at?.gt].some((one) => !isAbsent(one));
  };
  const judgement = rule('parameter_missing', holds, 'or object_id, or a lower bound of created_at, is required');
  const since = (bound: string) => ({ required: ['created_at'], properties: { created_at: { type: 'object', ...has(bound) } } });
  return related(judgement, (name) => ({ not: { anyOf: [has(name), has('object_id'), since('gte'), since('gt')] } }));
}

@ApiSchema({ description: 'When deliveries were made.' })
export class CreatedAtDto {
  @InstantField({ description: 'Only those made at this time or later.' }) gte?: string | null;
  @InstantField({ description: 'Only those made after this time.' }) gt?: string | null;
  @InstantField({ description: 'Only those made before this time.' }) lt?: string | null;
  @InstantField({ description: 'Only those made at this time or before.' }) lte?: string | null;
}

const LATEST_SKIPS = "skip_recovered: mode 'latest' always leaves out what has reached the endpoint, or is on its way";

@ApiSchema({
  description: 'Which deliveries to replay, and how. `endpoint_id`, `object_id` or a lower bound of `created_at` is required.',
})
export class RetryDeliveriesDto {
  @IsBounded()
  @KnownIdField('endpoint', 'Only deliveries to this endpoint.')
  endpoint_id?: string | null;

  @PatternField(EVENT_FILTER_PATTERN, 'parameter_invalid', {
    max: MAX_EVENT_FILTER_LENGTH,
    complaint: 'must be a kind of event such as appointment.created or appointment.*',
    description: 'Only deliveries of events of this type: exact, such as `appointment.created`, or `appointment.*`.',
    example: 'appointment.*',
  })
  event_type?: string | null;

  @KnownIdField('appointment', 'Only deliveries of events of this appointment.')
  object_id?: string | null;

  @EnumField(RESPONSE_CLASSES, {
    description: withMeanings('Only deliveries whose last attempt was answered so.', RESPONSE_CLASS),
  })
  // Of the type `ResponseClass` the build would make an enum.
  response_status_class?: string | null;

  @EnumField(NETWORK_ERRORS, { description: withMeanings('Only deliveries whose last attempt ended so.', NETWORK_ERROR) })
  error_code?: NetworkErrorCode | null;

  @StatusesField()
  status?: readonly RetriedStatus[] | null;

  @NestedField(() => CreatedAtDto, { description: 'Only deliveries made in this time.' })
  created_at?: CreatedAtDto | null;

  @ModeField()
  mode?: RetryMode | null;

  @FlagField({
    description:
      'Whether to leave out what has reached the same endpoint since, or is on its way again, by another delivery; true when not given.',
  })
  skip_recovered?: boolean | null;

  @PerSecondField()
  per_second?: number | null;

  @DryRunField()
  dry_run?: boolean | null;

  warnings(): readonly string[] {
    const types = unmatched(this.event_type ? [this.event_type] : []).map((text) => `event_type: ${text}`);
    return this.mode === 'latest' && this.skip_recovered === false ? [...types, LATEST_SKIPS] : types;
  }

  toCommand(context: RequestContext): RetryDeliveries {
    const { endpoint_id, event_type, object_id, response_status_class, error_code } = this;
    const created = boundsIn(this.created_at ?? {});
    const parameters: RetryParameters = {
      ...(endpoint_id && { endpoint_id }),
      ...(event_type && { event_type }),
      ...(object_id && { object_id }),
      ...(response_status_class && { response_status_class: response_status_class as ResponseClass }),
      ...(error_code && { error_code }),
      status: this.status ?? ['failed'],
      ...(Object.keys(created).length > 0 && { created_at: created }),
      mode: this.mode ?? 'all',
      skip_recovered: this.skip_recovered ?? true,
      per_second: this.per_second ?? USUAL_PER_SECOND,
      dry_run: this.dry_run ?? false,
    };
    return new RetryDeliveries(context, parameters);
  }
}

function boundsIn(span: CreatedAtDto): NonNullable<RetryParameters['created_at']> {
  return Object.fromEntries(BOUNDS.flatMap((bound) => (span[bound] ? [[bound, span[bound]]] : [])));
}
