import { specFor } from '@testing/decider-spec';
import {
  claim,
  claimed,
  cut,
  firstFailed,
  frozen,
  past,
  record,
  result,
  retry,
  schedule,
  scheduled,
} from '@testing/delivery-events';
import { deliveriesDecider } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);

describe('where the clock was set back by an hour', () => {
  const HOUR = 3_600_000;
  const ahead = HOUR + 150;
  const failedAhead = [claimed(HOUR + 100), retry(ahead, result(1, 503, HOUR + 100), ahead + 5_000)];
  const again = (now: number, dueAt: number): DeliveryEvent => {
    const decided = { at: ahead, decidedAt: now, deliveryId: 'whd_1' };
    return { type: 'DeliveryRescheduled', ...decided, dueAt, overdueAt: dueAt + 1_000 };
  };

  it('a wait that began before is counted anew from the first claim on, and once', () => {
    given(...past, ...failedAhead)
      .when(claim(200, 'att_2'))
      .then(again(200, 5_200));
    given(...past, ...failedAhead, again(200, 5_200))
      .when(claim(5_199, 'att_2'))
      .thenNothing();
    given(...past, ...failedAhead, again(200, 5_200))
      .when(claim(5_200, 'att_2'))
      .then({ ...claimed(ahead, 2), decidedAt: 5_200, leaseUntil: 25_200 } as DeliveryEvent);
  });
  it('a wait is counted by the clock, though the stream is ahead of it', () =>
    given(...past, { ...scheduled('whd_2'), at: ahead }, {
      ...claimed(ahead),
      decidedAt: 100,
      leaseUntil: 20_100,
    } as DeliveryEvent)
      .when(record(150, result(1, 503)))
      .then({ ...retry(ahead, result(1, 503), 5_150), decidedAt: 150 } as DeliveryEvent));
  it('a wait that was counted by the clock before is no longer', () => {
    const failed = { ...retry(ahead, result(1, 503), 5_150), decidedAt: 150 } as DeliveryEvent;
    given(...past, claimed(ahead - 50), failed)
      .when(claim(5_149, 'att_2'))
      .thenNothing();
  });
  it.each([2_000, 2_001])(
    'a wait that began %i ms later by another process’s clock is counted anew beyond two seconds',
    (skew) => {
      const then = given(...past, claimed(100), firstFailed).when(claim(150 - skew, 'att_2'));
      if (skew > 2_000) then.then({ ...again(150 - skew, 5_150 - skew), at: 150 } as DeliveryEvent);
      else then.thenNothing();
    },
  );
  it('a wait before the first attempt is counted anew as well', () => {
    const waiting = { ...scheduled(), at: ahead, dueAt: ahead + 600_000, overdueAt: ahead + 601_000 } as DeliveryEvent;
    given(frozen, waiting).when(claim(200)).then(again(200, 600_200));
  });
  it('a delivery of an earlier version that was due before its event was stored is due at once', () => {
    const before = { ...retry(ahead, result(1, 503), 5_150) };
    given(...past, claimed(100), before)
      .when(claim(200, 'att_2'))
      .then(again(200, 200));
  });
  it('an attempt that began before counts as cut, for its lease may last for that hour', () =>
    given(...past, claimed(HOUR))
      .when(claim(200, 'att_2'))
      .then(
        { ...retry(HOUR, cut(1, HOUR), 200), decidedAt: 200 } as DeliveryEvent,
        { ...claimed(HOUR, 2), decidedAt: 200, leaseUntil: 20_200 } as DeliveryEvent,
      ));
  it.each([2_000, 2_001])('an attempt that began %i ms later by another process’s clock is cut beyond two seconds', (skew) => {
    const now = 3_000 - skew;
    const then = given(...past, claimed(3_000)).when(claim(now, 'att_2'));
    if (skew <= 2_000) return then.thenNothing();
    then.then(
      { ...retry(3_000, cut(1, 3_000), now), decidedAt: now } as DeliveryEvent,
      { ...claimed(3_000, 2), decidedAt: now, leaseUntil: now + 20_000 } as DeliveryEvent,
    );
  });
  it('an attempt that began since is left alone', () =>
    given(...past, { ...scheduled('whd_2'), at: ahead }, {
      ...claimed(ahead),
      decidedAt: 100,
      leaseUntil: 20_100,
    } as DeliveryEvent)
      .when(claim(200, 'att_2'))
      .thenNothing());
  it('a retry counted from the first attempt is as long after this one as the schedule says', () => {
    const failed = { ...record(300, result(2, 503)), schedule: { ...schedule, mode: 'offset' } } as const;
    given(...past, ...failedAhead, { ...claimed(ahead, 2), decidedAt: 200, leaseUntil: 20_200 } as DeliveryEvent)
      .when(failed)
      .then({ ...retry(ahead, result(2, 503), 25_300), decidedAt: 300 } as DeliveryEvent);
  });
});
