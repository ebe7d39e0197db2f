import { ApiSchema } from '@nestjs/swagger';
import type { TriedEvent } from '@application/webhooks/explain/explain.queries';
import { FLAG, idOf, KindMember, Member, TEXT } from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'An event on which filters were tried.' })
class TriedEventResource {
  @Member(idOf('event'), 'Names the event.') id!: string;
  @Member({ ...TEXT, example: 'appointment.confirmed' }, 'The `type` of the event.') type!: string;
  @Member(FLAG, 'Whether it passes the filters that were sent.') matches!: boolean;
  @Member(FLAG, 'Whether it passes the filters that the endpoint has.') matches_now!: boolean;
}

@ApiSchema({ description: 'Which events pass filters that are not set.' })
export class FilterTrialResource {
  @KindMember('filter_trial') object!: 'filter_trial';
  @Member({ type: [TriedEventResource] }, 'The last 100 events of the project, newest first; fewer where there are not so many.')
  events!: readonly TriedEventResource[];
}

export function toFilterTrialResource(events: readonly TriedEvent[]): FilterTrialResource {
  return {
    object: 'filter_trial',
    events: events.map(({ id, type, matches, matchesNow }) => ({ id, type, matches, matches_now: matchesNow })),
  };
}
