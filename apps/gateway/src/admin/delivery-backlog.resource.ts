import { ApiSchema } from '@nestjs/swagger';
import type { TierBacklog } from '@application/webhooks/stats/delivery-backlog.query';
import { COUNT, KindMember, Member, TEXT_OR_NULL } from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'The deliveries that wait as long between two attempts.' })
class TierBacklogResource {
  @Member({ ...TEXT_OR_NULL, example: '30m' }, 'The wait before their attempt, as the topics are named; null for no wait.')
  tier!: string | null;
  @Member(COUNT, 'That wait, in milliseconds.') wait_ms!: number;
  @Member(COUNT, 'How many are not finished now: they wait for the attempt after that wait, or it is under way.') open!: number;
}

const TIERS = { type: () => [TierBacklogResource] };

@ApiSchema({ description: "A project's deliveries that are not finished now, tests aside, by the retry tier that they are in." })
export class DeliveryBacklogResource {
  @KindMember('delivery_backlog') object!: 'delivery_backlog';
  @Member(TIERS, 'The tiers of the retry schedule, shortest wait first.') tiers!: readonly TierBacklogResource[];
}

export function toDeliveryBacklogResource(tiers: readonly TierBacklog[]): DeliveryBacklogResource {
  return {
    object: 'delivery_backlog',
    tiers: tiers.map(({ tier, waitMs, open }) => ({ tier, wait_ms: waitMs, open })),
  };
}
