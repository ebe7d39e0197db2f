import fc from 'fast-check';
import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import { deliveriesDecider, deliveryOf, type DeliveryCommand } from './deliveries.decider.js';
import type { AttemptResult, DeliveryEvent, FrozenEvent, NewDelivery } from './delivery.events.js';
import type { RetrySchedule } from './retry-schedule.js';

const { given } = specFor(deliveriesDecider);

const schedule: RetrySchedule = { waits: [0, 5_000, 30_000], mode: 'gap', jitter: 0 };
const event: FrozenEvent = {
  eventId: 'evt_1',
  projectId: 'prj_1',
  eventType: 'appointment.created',
  appointmentId: 'apt_1',
  emittedAt: 100,
  body: '{"id":"evt_1"}',
  test: false,
};
const delivery = (deliveryId = 'whd_1', replayOf: string | null = null): NewDelivery => ({
  deliveryId,
  endpointId: 'we_1',
  url: 'https://a.example/hooks',
  trigger: replayOf ? 'replay' : 'event',
  replayOf,
  dueAt: 100,
  overdueAt: 60_100,
  maxAttempts: 3,
});
const frozen: DeliveryEvent = { type: 'EventFrozen', at: 100, ...event };
const scheduled = (deliveryId = 'whd_1', replayOf: string | null = null, at = 100): DeliveryEvent => ({
  type: 'DeliveryScheduled',
  at,
  projectId: 'prj_1',
  eventType: 'appointment.created',
  appointmentId: 'apt_1',
  ...delivery(deliveryId, replayOf),
});
const past = [frozen, scheduled()];

const claim = (at: number, attemptId = 'att_1'): Extract<DeliveryCommand, { type: 'ClaimDelivery' }> => ({
  type: 'ClaimDelivery',
  at,
  deliveryId: 'whd_1',
  attemptId,
  leaseMs: 20_000,
  voidBefore: 0,
  url: 'https://a.example/hooks',
  obstacle: null,
  schedule,
});
const claimed = (at: number, attempt = 1, attemptId = `att_${attempt}`): DeliveryEvent => ({
  type: 'DeliveryClaimed',
  at,
  deliveryId: 'whd_1',
  attemptId,
  attempt,
  leaseUntil: at + 20_000,
  url: 'https://a.example/hooks',
});
const result = (attempt: number, status: number | null, startedAt = 100): AttemptResult => ({
  attemptId: `att_${attempt}`,
  attempt,
  startedAt,
  durationMs: 50,
  status,
  headers: {},
  body: null,
  bodyTruncated: false,
  errorCode: status === null ? 'timeout' : null,
  remoteIp: null,
});
const record = (at: number, answer: AttemptResult): Extract<DeliveryCommand, { type: 'RecordOutcome' }> => ({
  type: 'RecordOutcome',
  at,
  deliveryId: 'whd_1',
  result: answer,
  obstacle: null,
  schedule,
  chance: 0,
});
const retry = (at: number, answer: AttemptResult, dueAt: number): DeliveryEvent => ({
  type: 'DeliveryRetryScheduled',
  at,
  deliveryId: 'whd_1',
  result: answer,
  dueAt,
  overdueAt: dueAt + 60_000,
});
const cut = (attempt: number, startedAt = 100): AttemptResult => ({
  ...result(attempt, null, startedAt),
  durationMs: null,
  headers: null,
  errorCode: 'network_error',
});
const firstFailed = retry(150, result(1, 503), 5_150);
const replay: DeliveryCommand = { type: 'ReplayDelivery', at: 200, deliveryId: 'whd_1', replay: delivery('whd_2', 'whd_1') };

describe('the deliveries of an event', () => {
  it('are scheduled once, together with its bytes', () => {
    const freeze: DeliveryCommand = { type: 'FreezeEvent', at: 100, event, deliveries: [delivery()] };
    given().when(freeze).then(frozen, scheduled());
    given(...past)
      .when(freeze)
      .thenNothing();
  });
  it('may be none', () => {
    given().when({ type: 'FreezeEvent', at: 100, event, deliveries: [] }).then(frozen);
    given(frozen).thenState({ deliveries: [] });
  });
  it('expire only when all are finished', () => {
    given(...past)
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .thenNothing();
    const done: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) };
    given(...past, claimed(100), done)
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .then({ type: 'DeliveryExpired', at: 9e9, deliveryId: 'whd_1' }, { type: 'DeliveriesExpired', at: 9e9 });
  });
});

describe('claiming a delivery', () => {
  it('begins its next attempt', () => {
    given(...past)
      .when(claim(100))
      .then(claimed(100));
    given(...past, claimed(100), firstFailed)
      .when(claim(5_150, 'att_2'))
      .then(claimed(5_150, 2));
  });
  it('is for one of several', () =>
    given(...past, claimed(100))
      .when(claim(101, 'att_x'))
      .thenNothing());
  it('is never early', () =>
    given(...past, claimed(100), firstFailed)
      .when(claim(5_149, 'att_2'))
      .thenNothing());
  it('is not for what is finished or unknown', () => {
    const done: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) };
    given(...past, claimed(100), done)
      .when(claim(200))
      .thenNothing();
    given(...past)
      .when({ ...claim(100), deliveryId: 'whd_9' })
      .thenNothing();
  });
  it('cancels it when its endpoint is gone', () =>
    given(...past)
      .when({ ...claim(100), obstacle: 'endpoint_deleted' })
      .then({ type: 'DeliveryCancelled', at: 100, deliveryId: 'whd_1', result: null, reason: 'endpoint_deleted' }));
  it('counts an attempt whose lease ran out and makes the next at once', () =>
    given(...past, claimed(100))
      .when(claim(20_100, 'att_2'))
      .then(retry(20_100, cut(1), 20_100), claimed(20_100, 2)));
  it('counts an attempt of a dead process without waiting for its lease', () =>
    given(...past, claimed(100))
      .when({ ...claim(300, 'att_2'), voidBefore: 200 })
      .then(retry(300, cut(1), 300), claimed(300, 2)));
  it('fails what was cut at its last attempt', () =>
    given(...past, claimed(100), firstFailed, claimed(5_150, 2), retry(5_200, result(2, 500, 5_150), 35_200), claimed(35_200, 3))
      .when(claim(99_000, 'att_4'))
      .then({ type: 'DeliveryFailed', at: 99_000, deliveryId: 'whd_1', result: cut(3, 35_200), reason: 'attempts_exhausted' }));
});

describe('the outcome of an attempt', () => {
  it('is success', () => {
    given(...past, claimed(100))
      .when(record(150, result(1, 200)))
      .then({ type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) });
  });
  it.each([150, 400])('is another try after a wait that begins when it came, at %i', (at) =>
    given(...past, claimed(100))
      .when(record(at, result(1, 503)))
      .then(retry(at, result(1, 503), at + 5_000)),
  );
  it('is failure when it was rejected for good', () =>
    given(...past, claimed(100))
      .when(record(150, result(1, 404)))
      .then({ type: 'DeliveryFailed', at: 150, deliveryId: 'whd_1', result: result(1, 404), reason: 'permanent_rejection' }));
  it('is failure after the last attempt', () =>
    given(...past, claimed(100), firstFailed, claimed(5_150, 2), retry(5_200, result(2, 500, 5_150), 35_200), claimed(35_200, 3))
      .when(record(35_300, result(3, null, 35_200)))
      .then({
        type: 'DeliveryFailed',
        at: 35_300,
        deliveryId: 'whd_1',
        result: result(3, null, 35_200),
        reason: 'attempts_exhausted',
      }));
  it('is told by the holder of the claim only', () => {
    given(...past, claimed(100))
      .when(record(150, { ...result(1, 200), attemptId: 'att_x' }))
      .thenNothing();
    given(...past, claimed(100), firstFailed)
      .when(record(150, result(1, 200)))
      .thenNothing();
  });
  it('is the end when the endpoint is gone meanwhile, unless it was success', () => {
    given(...past, claimed(100))
      .when({ ...record(150, result(1, 503)), obstacle: 'endpoint_disabled' })
      .then({ type: 'DeliveryCancelled', at: 150, deliveryId: 'whd_1', result: result(1, 503), reason: 'endpoint_disabled' });
    given(...past, claimed(100))
      .when({ ...record(150, result(1, 200)), obstacle: 'endpoint_disabled' })
      .then({ type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) });
  });
});

describe('replaying a delivery', () => {
  const superseded: DeliveryEvent = { type: 'DeliverySuperseded', at: 200, deliveryId: 'whd_1', by: 'whd_2' };
  const again = scheduled('whd_2', 'whd_1', 200);
  const done: DeliveryEvent = {
    type: 'DeliveryFailed',
    at: 150,
    deliveryId: 'whd_1',
    result: result(1, 404),
    reason: 'permanent_rejection',
  };

  it('makes a fresh one and leaves a finished one alone', () =>
    given(...past, claimed(100), done)
      .when(replay)
      .then(again));
  it('cancels what still waits', () =>
    given(...past, claimed(100), firstFailed)
      .when(replay)
      .then(superseded, { type: 'DeliveryCancelled', at: 200, deliveryId: 'whd_1', result: null, reason: 'superseded' }, again));
  it('lets an attempt under way finish, and no other follow', () => {
    given(...past, claimed(100))
      .when(replay)
      .then(superseded, again);
    given(...past, claimed(100), superseded, again)
      .when(record(250, result(1, 503)))
      .then({ type: 'DeliveryCancelled', at: 250, deliveryId: 'whd_1', result: result(1, 503), reason: 'superseded' });
    given(...past, claimed(100), superseded, again)
      .when(record(250, result(1, 200)))
      .then({ type: 'DeliverySucceeded', at: 250, deliveryId: 'whd_1', result: result(1, 200) });
  });
  it('happens once for one request', () =>
    given(...past, claimed(100), done, again)
      .when(replay)
      .thenNothing());
  it('needs a delivery of this event', () =>
    given(...past)
      .when({ ...replay, deliveryId: 'whd_9' } as DeliveryCommand)
      .thenRejects('resource_missing', { param: 'delivery_id' }));
  it('is over when the event has expired', () =>
    given(...past, claimed(100), done, { type: 'DeliveriesExpired', at: 160 })
      .when(replay)
      .thenRejects('event_expired'));
});

describe('cancelling a delivery', () => {
  const cancel: DeliveryCommand = { type: 'CancelDelivery', at: 170, deliveryId: 'whd_1', reason: 'endpoint_deleted' };
  it('is for what waits', () => {
    given(...past)
      .when(cancel)
      .then({ type: 'DeliveryCancelled', at: 170, deliveryId: 'whd_1', result: null, reason: 'endpoint_deleted' });
    given(...past, claimed(100))
      .when(cancel)
      .thenNothing();
  });
});

describe('whatever happens', () => {
  const step = fc.record({
    kind: fc.constantFrom('claim', 'record', 'replay', 'cancel'),
    wait: fc.integer({ min: 0, max: 40_000 }),
    attempt: fc.integer({ min: 1, max: 4 }),
    status: fc.constantFrom(200, 404, 503, null),
  });

  it('no delivery makes more attempts than scheduled, and a finished one never changes', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events: DeliveryEvent[] = [...past];
        let at = 100;
        for (const { kind, wait, attempt, status } of steps) {
          at += wait;
          const state = fold(deliveriesDecider, events);
          const holder = deliveryOf(state, 'whd_1')?.claim;
          const commands: Record<typeof kind, DeliveryCommand> = {
            claim: claim(at, `att_${events.length}`),
            record: record(at, { ...result(attempt, status, at), attemptId: holder?.attemptId ?? 'att_x' }),
            replay: { type: 'ReplayDelivery', at, deliveryId: 'whd_1', replay: delivery(`whd_r${events.length}`, 'whd_1') },
            cancel: { type: 'CancelDelivery', at, deliveryId: 'whd_1', reason: 'endpoint_disabled' },
          };
          const decided = deliveriesDecider.decide(commands[kind], state);
          const before = deliveryOf(state, 'whd_1')!;
          events.push(...decided);
          const after = deliveryOf(fold(deliveriesDecider, events), 'whd_1')!;
          if (before.completedAt !== null) expect(after).toEqual(before);
          expect(after.attemptCount).toBeLessThanOrEqual(3);
          expect([after.claim !== null, after.dueAt !== null, after.completedAt !== null].filter(Boolean)).toHaveLength(1);
        }
      }),
    ));
});
