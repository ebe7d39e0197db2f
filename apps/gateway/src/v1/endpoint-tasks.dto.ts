import { ApiSchema } from '@nestjs/swagger';
import { OpenEndpointTask } from '@application/webhooks/bulk/bulk.commands';
import {
  ENDPOINT_RECONCILE,
  ENDPOINT_RECOVER,
  ENDPOINT_REPLAY_MISSING,
  MAX_RECEIVED,
} from '@application/webhooks/bulk/endpoint-parameters';
import { USUAL_PER_SECOND, type RetryMode } from '@application/webhooks/bulk/retry-parameters';
import type { RequestContext } from '@application/runtime/request-context';
import { EVENT_FILTER_PATTERN, isEventFilter, MAX_EVENT_FILTER_LENGTH } from '@domain/endpoint/event-filter';
import { idPattern, isId } from '@domain/kernel/ids';
import { LaterThan, rule } from '../http/fields/rules.js';
import { InstantField, TextListField } from '../http/fields/value-fields.js';
import { DryRunField, ModeField, PerSecondField } from './bulk-fields.js';
import { unmatched } from './event-filters.js';

const MAX_TYPES = 20;

function TypesField(description: string): PropertyDecorator {
  const schema = { pattern: EVENT_FILTER_PATTERN, maxLength: MAX_EVENT_FILTER_LENGTH };
  const isFilter = (value: unknown) => typeof value !== 'string' || isEventFilter(value);
  const judge = rule('parameter_invalid', isFilter, 'takes kinds such as appointment.created or appointment.*');
  return TextListField(MAX_TYPES, { schema, judge }, { description, example: ['appointment.*'] });
}

function ReceivedField(description: string): PropertyDecorator {
  const isKnown = (value: unknown) => typeof value !== 'string' || isId('event', value);
  const judge = rule('parameter_invalid', isKnown, 'must have only ids of events');
  const about = { required: true, description, example: ['evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0'] };
  return TextListField(MAX_RECEIVED, { schema: { pattern: idPattern('event') }, judge }, about);
}

class MannerDto {
  @PerSecondField()
  per_second?: number | null;

  @DryRunField()
  dry_run?: boolean | null;

  protected manner() {
    return { per_second: this.per_second ?? USUAL_PER_SECOND, dry_run: this.dry_run ?? false };
  }
}

class TimedDto extends MannerDto {
  @InstantField({ required: true, description: 'Only events that happened at this time or later.' })
  since!: string;

  @LaterThan('since')
  @InstantField({ description: 'Only events that happened before this time; before the start of the task when not given.' })
  until?: string | null;

  @ModeField()
  mode?: RetryMode | null;

  protected time() {
    return { since: this.since, ...(this.until && { until: this.until }) };
  }
}

@ApiSchema({ description: 'From when on to recover an endpoint, and how.' })
export class RecoverEndpointDto extends TimedDto {
  toCommand(context: RequestContext, endpointId: string): OpenEndpointTask {
    const parameters = { ...this.time(), mode: this.mode ?? 'all', ...this.manner() } as const;
    return new OpenEndpointTask(context, endpointId, { kind: ENDPOINT_RECOVER, parameters });
  }
}

@ApiSchema({ description: 'Which events to send that an endpoint has no delivery of, and how.' })
export class ReplayMissingDto extends TimedDto {
  @TypesField(
    'Only events of these types among those that pass its filters: exact, such as `appointment.created`, or `appointment.*`. All when empty or not given.',
  )
  event_types?: readonly string[] | null;

  warnings(): readonly string[] {
    return unmatched(this.event_types ?? []).map((text) => `event_types: ${text}`);
  }

  toCommand(context: RequestContext, endpointId: string): OpenEndpointTask {
    const types = this.event_types && { event_types: this.event_types };
    const parameters = { ...this.time(), ...types, mode: this.mode ?? 'all', ...this.manner() } as const;
    return new OpenEndpointTask(context, endpointId, { kind: ENDPOINT_REPLAY_MISSING, parameters });
  }
}

@ApiSchema({ description: 'Which events of a time have been received.' })
export class ReconcileEndpointDto extends MannerDto {
  @InstantField({ required: true, description: 'Only events that happened at this time or later.' })
  since!: string;

  @LaterThan('since')
  @InstantField({ description: 'Only events that happened before this time; a minute ago when not given.' })
  until?: string | null;

  @ReceivedField(
    'The ids of all events of that time that have been received; an empty list if there are none. Ids of other times are passed over.',
  )
  received!: readonly string[];

  toCommand(context: RequestContext, endpointId: string): OpenEndpointTask {
    const parameters = { since: this.since, ...(this.until && { until: this.until }), ...this.manner() };
    return new OpenEndpointTask(context, endpointId, { kind: ENDPOINT_RECONCILE, parameters, received: this.received });
  }
}
