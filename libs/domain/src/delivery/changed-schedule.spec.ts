import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import { deliveryOf } from './event-deliveries.js';
import type { Delivery } from './delivery.js';
import type { RetrySchedule } from './retry-schedule.js';

const SCHEDULED_FOR = 3;
const LEASE_MS = 20_000;
const about = { eventId: 'evt_1', projectId: 'prj_1', eventType: 'appointment.created', appointmentId: 'apt_1' };
const url = 'https://a.example/hooks';
const delivery = { deliveryId: 'whd_1', endpointId: 'we_1', url, trigger: 'event', replayOf: null } as const;
const freeze: DeliveryCommand = {
  type: 'FreezeEvent',
  at: 0,
  event: { ...about, emittedAt: 0, body: '{}', test: false },
  deliveries: [{ ...delivery, dueAt: 0, overdueAt: 60_000, maxAttempts: SCHEDULED_FOR }],
};

/** A delivery whose attempts all failed: answered with 500, or interrupted by a crash. */
function exhausted(schedule: RetrySchedule, end: 'answered' | 'cut'): Delivery {
  let state = deliveriesDecider.initial;
  const run = (command: DeliveryCommand): Delivery => {
    state = deliveriesDecider.decide(command, state).reduce((before, event) => deliveriesDecider.evolve(before, event), state);
    return deliveryOf(state, 'whd_1')!;
  };
  let known = run(freeze);
  for (let tries = 0; known.completedAt === null && tries < 20; tries++) {
    const at = known.dueAt ?? known.claim!.leaseUntil;
    const common = { deliveryId: 'whd_1', obstacle: null, isPaused: false, disablings: 0, schedule };
    const attemptId = `att_${tries}`;
    const lease = { attemptId, unacknowledged: [], leaseMs: LEASE_MS, voidBefore: 0, url };
    known = run({ ...common, ...lease, type: 'ClaimDelivery', at, about: { ...about, endpointId: 'we_1' } });
    if (end === 'cut' || !known.claim) continue;
    const none = { headers: null, body: null, bodyTruncated: false, errorCode: null, remoteIp: null };
    const result = { ...none, attemptId, attempt: known.attemptCount, startedAt: at, durationMs: 1, status: 500 };
    known = run({ ...common, type: 'RecordOutcome', at, result, disableOnGone: false, chance: 0 });
  }
  return known;
}

describe('a delivery makes as many attempts as it was scheduled for and shows', () => {
  it.each([
    ['a shorter', 'answered', [0, 1_000]],
    ['a longer', 'answered', [0, 3_000, 3_000, 3_000]],
    ['a shorter', 'cut', [0, 1_000]],
    ['a longer', 'cut', [0, 3_000, 3_000, 3_000]],
  ] as const)('when %s schedule rules meanwhile and every attempt is %s', (_, end, waits) => {
    const { attemptCount, maxAttempts, failureReason } = exhausted({ waits, mode: 'gap', jitter: 0 }, end);
    expect([attemptCount, maxAttempts, failureReason]).toEqual([SCHEDULED_FOR, SCHEDULED_FOR, 'attempts_exhausted']);
  });
});
