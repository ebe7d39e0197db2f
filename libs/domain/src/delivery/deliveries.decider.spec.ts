import fc from 'fast-check';
import { specFor } from '@testing/decider-spec';
import {
  about,
  claim,
  claimed,
  cut,
  delivery,
  event,
  firstFailed,
  frozen,
  past,
  record,
  result,
  retry,
  scheduled,
  schedule,
} from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import { deliveryOf } from './event-deliveries.js';
import type { DeliveryEvent } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);

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
  it('do not expire while one of them waits', () =>
    given(frozen, scheduled(), scheduled('whd_2'), claimed(100), {
      type: 'DeliverySucceeded',
      at: 150,
      ...about,
      result: result(1, 200),
    })
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .thenNothing());
  it('expire only when all are finished', () => {
    given(...past)
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .thenNothing();
    const done: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) };
    given(...past, claimed(100), done)
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .then({ type: 'DeliveryExpired', at: 9e9, deliveryId: 'whd_1' }, { type: 'DeliveriesExpired', at: 9e9 });
    given(...past, claimed(100), done, { type: 'DeliveriesExpired', at: 160 })
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .thenNothing();
  });
});

describe('a delivery', () => {
  const after = (...events: readonly DeliveryEvent[]) => deliveryOf(fold(deliveriesDecider, [...past, ...events]), 'whd_1');
  const elsewhere = { ...claimed(5_150, 2), url: 'https://b.example/hooks' } as DeliveryEvent;

  it('is due no more while its attempt is under way', () =>
    expect(after(claimed(100))).toMatchObject({ status: 'delivering', dueAt: null, overdueAt: null }));
  it('goes to where its endpoint was when the attempt began, and knows when the first one did', () =>
    expect(after(claimed(100), firstFailed, elsewhere)).toMatchObject({
      url: 'https://b.example/hooks',
      firstStartedAt: 100,
      attemptCount: 2,
    }));
  it('keeps the last answer when it is cancelled while it waits', () =>
    expect(
      after(claimed(100), firstFailed, {
        type: 'DeliveryCancelled',
        at: 170,
        ...about,
        result: null,
        reason: 'endpoint_deleted',
      }),
    ).toMatchObject({ status: 'cancelled', lastResponseStatus: 503, completedAt: 170 }));
  it('keeps the answer of the attempt that it is cancelled after', () =>
    expect(
      after(claimed(100), { type: 'DeliveryCancelled', at: 150, ...about, result: result(1, 503), reason: 'superseded' }),
    ).toMatchObject({ status: 'cancelled', lastResponseStatus: 503, completedAt: 150 }));
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
  it('replaces a claim of the same worker that it was not told of, under which nothing was sent', () => {
    const again = { ...claim(300, 'att_x'), unacknowledged: ['att_0', 'att_1'] };
    const replaced = claimed(300, 1, 'att_x');
    given(...past, claimed(100))
      .when(again)
      .then(replaced);
    given(...past, claimed(100))
      .when({ ...again, voidBefore: 9e9 })
      .then(replaced);
    given(...past, claimed(100))
      .when({ ...again, at: 20_100 })
      .then(claimed(20_100, 1, 'att_x'));
    given(...past, claimed(100, 1, 'att_other'))
      .when(again)
      .thenNothing();
  });
  it('is never early', () =>
    given(...past, claimed(100), firstFailed)
      .when(claim(5_149, 'att_2'))
      .thenNothing());
  it('is for a first attempt early by no clock that was set back, and for a retry by every one', () => {
    const newest: DeliveryEvent = { ...scheduled('whd_2'), at: 9_000 };
    given(...past, newest)
      .when(claim(99))
      .then({ ...claimed(9_000), decidedAt: 99, leaseUntil: 20_099 } as DeliveryEvent);
    given(...past, claimed(100), firstFailed, newest)
      .when(claim(5_149, 'att_2'))
      .thenNothing();
  });
  it('is not for what is finished or unknown', () => {
    const done: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) };
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
      .then({ type: 'DeliveryCancelled', at: 100, ...about, result: null, reason: 'endpoint_deleted' }));
  it('cancels it when its endpoint was disabled since, though it is enabled again', () => {
    given(...past)
      .when({ ...claim(100), disablings: 1 })
      .then({ type: 'DeliveryCancelled', at: 100, ...about, result: null, reason: 'endpoint_disabled' });
    given(frozen, { ...scheduled(), disablings: 1 } as DeliveryEvent)
      .when({ ...claim(100), disablings: 1 })
      .then(claimed(100));
  });
  it('is for what was scheduled before disablings were noted', () => {
    const { disablings: _unknown, ...before } = scheduled() as Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>;
    given(frozen, before)
      .when({ ...claim(100), disablings: 1 })
      .then(claimed(100));
  });
  it('counts an attempt whose lease ran out and makes the next at once', () =>
    given(...past, claimed(100))
      .when(claim(20_100, 'att_2'))
      .then(retry(20_100, cut(1), 20_100), claimed(20_100, 2)));
  it('counts an attempt of a dead process without waiting for its lease', () =>
    given(...past, claimed(100))
      .when({ ...claim(300, 'att_2'), voidBefore: 101 })
      .then(retry(300, cut(1), 300), claimed(300, 2)));
  it('is not for an attempt that begins with the process', () =>
    given(...past, claimed(100))
      .when({ ...claim(300, 'att_2'), voidBefore: 100 })
      .thenNothing());
  it('counts an attempt that was cut though its endpoint is gone', () =>
    given(...past, claimed(100))
      .when({ ...claim(20_100, 'att_2'), obstacle: 'endpoint_deleted' })
      .then(retry(20_100, cut(1), 20_100), {
        type: 'DeliveryCancelled',
        at: 20_100,
        ...about,
        result: null,
        reason: 'endpoint_deleted',
      }));
  it('never goes back in time', () =>
    given(...past, scheduled('whd_2', null, 900))
      .when(claim(200))
      .then({ ...claimed(900), decidedAt: 200, leaseUntil: 20_200 } as DeliveryEvent));
  it('fails what was cut at its last attempt', () =>
    given(...past, claimed(100), firstFailed, claimed(5_150, 2), retry(5_200, result(2, 500, 5_150), 35_200), claimed(35_200, 3))
      .when(claim(99_000, 'att_4'))
      .then({ type: 'DeliveryFailed', at: 99_000, ...about, result: cut(3, 35_200), reason: 'attempts_exhausted' }));
});

describe('the outcome of an attempt', () => {
  it('is success', () => {
    given(...past, claimed(100))
      .when(record(150, result(1, 200)))
      .then({ type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) });
  });
  it.each([150, 400])('is another try after a wait that begins when it came, at %i', (at) =>
    given(...past, claimed(100))
      .when(record(at, result(1, 503)))
      .then(retry(at, result(1, 503), at + 5_000)),
  );
  it('is overdue a second after it is due, however long it waits', () => {
    const day = { ...schedule, waits: [0, 86_400_000, 5_000] };
    given(...past, claimed(100))
      .when({ ...record(150, result(1, 503)), schedule: day })
      .then({ ...retry(150, result(1, 503), 86_400_150), overdueAt: 86_401_150 } as DeliveryEvent);
  });
  it('is another try counted from the first attempt when the schedule says so', () =>
    given(...past, claimed(100), firstFailed, claimed(5_150, 2))
      .when({ ...record(5_200, result(2, 503, 5_150)), schedule: { ...schedule, mode: 'offset' } })
      .then(retry(5_200, result(2, 503, 5_150), 30_100)));
  it('is failure when it was rejected for good', () =>
    given(...past, claimed(100))
      .when(record(150, result(1, 404)))
      .then({ type: 'DeliveryFailed', at: 150, ...about, result: result(1, 404), reason: 'permanent_rejection' }));
  it('is failure after the last attempt', () =>
    given(...past, claimed(100), firstFailed, claimed(5_150, 2), retry(5_200, result(2, 500, 5_150), 35_200), claimed(35_200, 3))
      .when(record(35_300, result(3, null, 35_200)))
      .then({ type: 'DeliveryFailed', at: 35_300, ...about, result: result(3, null, 35_200), reason: 'attempts_exhausted' }));
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
      .then({ type: 'DeliveryCancelled', at: 150, ...about, result: result(1, 503), reason: 'endpoint_disabled' });
    given(...past, claimed(100))
      .when({ ...record(150, result(1, 503)), disablings: 1 })
      .then({ type: 'DeliveryCancelled', at: 150, ...about, result: result(1, 503), reason: 'endpoint_disabled' });
    given(...past, claimed(100))
      .when({ ...record(150, result(1, 200)), obstacle: 'endpoint_disabled' })
      .then({ type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) });
  });
  it('is the end by the replay that took over, also when the endpoint is gone as well', () =>
    given(...past, claimed(100), { type: 'DeliverySuperseded', at: 120, deliveryId: 'whd_1', by: 'whd_2' })
      .when({ ...record(150, result(1, 503)), obstacle: 'endpoint_deleted' })
      .then({ type: 'DeliveryCancelled', at: 150, ...about, result: result(1, 503), reason: 'superseded' }));
});

describe('cancelling a delivery', () => {
  const cancel: DeliveryCommand = { type: 'CancelDelivery', at: 170, deliveryId: 'whd_1', reason: 'endpoint_deleted' };
  it('is for what waits', () => {
    given(...past)
      .when(cancel)
      .then({ type: 'DeliveryCancelled', at: 170, ...about, result: null, reason: 'endpoint_deleted' });
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
