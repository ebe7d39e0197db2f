import { ApiSchema } from '@nestjs/swagger';
import type { ExplainedEndpoint } from '@application/webhooks/explain/explain.queries';
import { MISSING_REASONS, type MissingReason } from '@application/webhooks/explain/facts';
import { DELIVERY_STATUSES } from '@domain/delivery/delivery';
import { withMeanings } from '../http/docs/with-meanings.js';
import { FLAG, idOf, KindMember, Member, oneOrNull, TEXT, TEXT_OR_NULL } from '../http/docs/schemas.resource.js';
import { DELIVERY_STATUS } from './meanings.js';

const REASON: Readonly<Record<MissingReason, string>> = {
  filter_mismatch: 'none of its filters matched the event.',
  endpoint_disabled: 'it was disabled when the event happened, or before the event had reached it.',
  created_after_event: 'it was registered after the event.',
  deleted: 'it is deleted, and the event had not reached it before.',
  not_fanned_out_yet: 'the deliveries of the event are still to be made, which takes seconds.',
};

@ApiSchema({ description: 'Why an event reached an endpoint, or did not.' })
class ExplainedEndpointResource {
  @Member(idOf('endpoint'), 'The endpoint that is explained.') webhook_endpoint_id!: string;
  @Member(FLAG, 'Whether the event has a delivery to it, in whatever status.') delivered!: boolean;
  @Member(
    oneOrNull(...MISSING_REASONS),
    withMeanings('What keeps the event from it; null where nothing does, as while a delivery is tried, or failed.', REASON),
  )
  reason!: string | null;
  @Member(
    { type: 'array', items: TEXT },
    'Its filters when the event happened, or the present ones where it was registered later; empty for all events.',
  )
  event_filters!: readonly string[];
  @Member({ type: 'array', items: idOf('delivery') }, 'The deliveries of the event to it, oldest first.')
  delivery_ids!: readonly string[];
  @Member(
    oneOrNull(...DELIVERY_STATUSES),
    withMeanings('Where the last of its deliveries stands; null where it has none.', DELIVERY_STATUS),
  )
  status!: string | null;
  @Member(TEXT, 'What happened, as one English sentence that names the filter, the time or the answer. Not for programs.')
  explanation!: string;
  @Member(TEXT_OR_NULL, 'What may be done about it, as one English sentence; null where nothing has to be.')
  what_to_do!: string | null;
}

@ApiSchema({ description: 'Why an event reached the endpoints of its project, or did not.' })
export class EventExplanationResource {
  @KindMember('event_explanation') object!: 'event_explanation';
  @Member(idOf('event'), 'The event that is explained.') event_id!: string;
  @Member(
    { type: [ExplainedEndpointResource] },
    'The endpoints that there were when the event happened, and those that there are now, in the order of their registration.',
  )
  endpoints!: readonly ExplainedEndpointResource[];
}

export function toEventExplanationResource(eventId: string, endpoints: readonly ExplainedEndpoint[]): EventExplanationResource {
  return { object: 'event_explanation', event_id: eventId, endpoints: endpoints.map(toExplainedEndpoint) };
}

function toExplainedEndpoint(explained: ExplainedEndpoint): ExplainedEndpointResource {
  return {
    webhook_endpoint_id: explained.endpointId,
    delivered: explained.deliveryIds.length > 0,
    reason: explained.reason,
    event_filters: explained.filters,
    delivery_ids: explained.deliveryIds,
    status: explained.status,
    explanation: explained.explanation,
    what_to_do: explained.whatToDo,
  };
}
