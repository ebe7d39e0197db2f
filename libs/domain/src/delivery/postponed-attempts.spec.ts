import { specFor } from '@testing/decider-spec';
import { about, claim, claimed, firstFailed, past, result, retry, record, scheduled } from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';
import { deliveryOf } from './event-deliveries.js';

const { given } = specFor(deliveriesDecider);
const postpone = (at: number, attemptId = 'att_1'): DeliveryCommand => ({
  type: 'PostponeDelivery',
  at,
  deliveryId: 'whd_1',
  attemptId,
  waitMs: 3_000,
});
const postponed = (at: number, attemptId = 'att_1'): DeliveryEvent => ({
  type: 'DeliveryPostponed',
  at,
  deliveryId: 'whd_1',
  attemptId,
  dueAt: at + 3_000,
  overdueAt: at + 4_000,
});
const after = (...events: readonly DeliveryEvent[]) => deliveryOf(fold(deliveriesDecider, [...past, ...events]), 'whd_1');

describe('an attempt that this machine could not make', () => {
  it('is put off by seconds', () =>
    given(...past, claimed(100))
      .when(postpone(200))
      .then(postponed(200)));

  it('does not count', () => {
    expect(after(claimed(100), postponed(200))).toMatchObject({
      status: 'pending',
      attemptCount: 0,
      firstStartedAt: null,
      claim: null,
      dueAt: 3_200,
      lastResponseStatus: null,
    });
    expect(after(claimed(100), firstFailed, claimed(5_150, 2), postponed(5_200, 'att_2'))).toMatchObject({
      status: 'retrying',
      attemptCount: 1,
      firstStartedAt: 100,
      dueAt: 8_200,
      lastResponseStatus: 503,
    });
  });

  it('is made again under its number, from when the schedule is counted', () => {
    given(...past, claimed(100), postponed(200))
      .when(claim(3_200, 'att_2'))
      .then(claimed(3_200, 1, 'att_2'));
    given(...past, claimed(100), postponed(200))
      .when(claim(3_199, 'att_2'))
      .then();
    const failed = { ...result(1, 503, 3_200), attemptId: 'att_2' };
    given(...past, claimed(100), postponed(200), claimed(3_200, 1, 'att_2'))
      .when(record(3_300, failed))
      .then(retry(3_300, failed, 8_300));
  });

  it('is put off by none but its holder, once', () => {
    given(...past, claimed(100))
      .when(postpone(200, 'att_other'))
      .then();
    given(...past, claimed(100), postponed(200))
      .when(postpone(300))
      .then();
    given(...past)
      .when(postpone(300))
      .then();
  });

  it('is not made again where a replay took its place', () => {
    const superseded: DeliveryEvent = { type: 'DeliverySuperseded', at: 150, deliveryId: 'whd_1', by: 'whd_2' };
    given(...past, claimed(100), superseded, scheduled('whd_2', 'whd_1', 150))
      .when(postpone(200))
      .then({ type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'superseded' });
  });
});
