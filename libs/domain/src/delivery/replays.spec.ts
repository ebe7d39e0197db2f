import { specFor } from '@testing/decider-spec';
import { about, claim, claimed, cut, delivery, firstFailed, past, record, result, scheduled } from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { scheduledDelivery } from './delivery.js';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);
const replay: DeliveryCommand = { type: 'ReplayDelivery', at: 200, deliveryId: 'whd_1', replay: delivery('whd_2', 'whd_1') };

describe('replaying a delivery', () => {
  const superseded: DeliveryEvent = { type: 'DeliverySuperseded', at: 200, deliveryId: 'whd_1', by: 'whd_2' };
  const again = scheduled('whd_2', 'whd_1', 200);
  const done: DeliveryEvent = {
    type: 'DeliveryFailed',
    at: 150,
    ...about,
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
      .then(superseded, { type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'superseded' }, again));
  it('lets an attempt under way finish, and no other follow', () => {
    given(...past, claimed(100))
      .when(replay)
      .then(superseded, again);
    given(...past, claimed(100), superseded, again)
      .when(record(250, result(1, 503)))
      .then({ type: 'DeliveryCancelled', at: 250, ...about, result: result(1, 503), reason: 'superseded' });
    given(...past, claimed(100), superseded, again)
      .when(record(250, result(1, 200)))
      .then({ type: 'DeliverySucceeded', at: 250, ...about, result: result(1, 200) });
  });
  it('is all that follows an attempt that was cut', () =>
    given(...past, claimed(100), superseded, again)
      .when(claim(20_100, 'att_2'))
      .then({ type: 'DeliveryCancelled', at: 20_100, ...about, result: cut(1), reason: 'superseded' }));
  it('supersedes an attempt under way once, however often it is replayed', () =>
    given(...past, claimed(100), superseded, again)
      .when({ type: 'ReplayDelivery', at: 201, deliveryId: 'whd_1', replay: delivery('whd_3', 'whd_1') })
      .then(scheduled('whd_3', 'whd_1', 201)));
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
  it('has an end at ten thousand deliveries', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => scheduled(`whd_more_${n}`, 'whd_1', 160));
    given(...past, claimed(100), done, ...many(9_998))
      .when(replay)
      .then(again);
    given(...past, claimed(100), done, ...many(9_999))
      .when(replay)
      .thenRejects('limit_exceeded');
  });
  it('leads to the same told at once and one by one', () => {
    const told: DeliveryEvent[] = [...past, claimed(100), superseded, again, done, { type: 'DeliveriesExpired', at: 160 }];
    const oneByOne = told.reduce((state, event) => deliveriesDecider.evolve(state, event), deliveriesDecider.initial);
    expect(fold(deliveriesDecider, told)).toEqual(oneByOne);
    expect(oneByOne.deliveries.map(({ id, status, place }) => [id, status, place])).toEqual([
      ['whd_1', 'failed', past.length - 1],
      ['whd_2', 'pending', told.indexOf(again)],
    ]);
  });
});

it('what a delivery comes to is folded without a look at the many that were scheduled before it', () => {
  let looks = 0;
  const earlier = Array.from({ length: 1_000 }, (_, n) => {
    const one = scheduledDelivery(scheduled(`whd_old_${n}`) as Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>);
    return Object.defineProperty({ ...one, place: n + 1 }, 'id', { get: () => `whd_old_${(looks++, n)}` });
  });
  const before = deliveriesDecider.evolve({ ...deliveriesDecider.initial, deliveries: earlier }, scheduled());
  const after = deliveriesDecider.evolve(before, claimed(100));
  expect([after.deliveries.length, after.deliveries.at(-1)?.status, looks]).toEqual([1_001, 'delivering', 0]);
});
