import { specFor } from '@testing/decider-spec';
import { about, claimed, delivery, past, result, scheduled } from '@testing/delivery-events';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { DeliveryEvent, NewDelivery } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);
const replayAt = (endpointId: string, deliveryId: string): NewDelivery => ({
  ...delivery(deliveryId),
  endpointId,
  trigger: 'replay',
});
const replay = (...replays: readonly NewDelivery[]): DeliveryCommand => ({ type: 'ReplayEvent', at: 200, replays });
const fresh = (endpointId: string, deliveryId: string, replayOf: string | null): DeliveryEvent =>
  ({ ...scheduled(deliveryId, replayOf, 200), ...replayAt(endpointId, deliveryId), replayOf }) as DeliveryEvent;
const done: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) };
const superseded: DeliveryEvent = { type: 'DeliverySuperseded', at: 200, deliveryId: 'whd_1', by: 'whd_2' };

describe('replaying an event', () => {
  it('makes a fresh delivery for each endpoint, whether or not it had one', () =>
    given(...past, claimed(100), done)
      .when(replay(replayAt('we_1', 'whd_2'), replayAt('we_2', 'whd_3')))
      .then(fresh('we_1', 'whd_2', 'whd_1'), fresh('we_2', 'whd_3', null)));
  it('names the last delivery there as the one that is repeated', () =>
    given(...past, claimed(100), done, scheduled('whd_2', 'whd_1', 160))
      .when(replay(replayAt('we_1', 'whd_3')))
      .then(
        { ...superseded, deliveryId: 'whd_2', by: 'whd_3' } as DeliveryEvent,
        { type: 'DeliveryCancelled', at: 200, endpointId: 'we_1', deliveryId: 'whd_2', result: null, reason: 'superseded' },
        fresh('we_1', 'whd_3', 'whd_2'),
      ));
  it('supersedes whatever is open there: what waits is cancelled, an attempt under way may finish', () => {
    given(...past)
      .when(replay(replayAt('we_1', 'whd_2')))
      .then(
        superseded,
        { type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'superseded' },
        fresh('we_1', 'whd_2', 'whd_1'),
      );
    given(...past, claimed(100))
      .when(replay(replayAt('we_1', 'whd_2')))
      .then(superseded, fresh('we_1', 'whd_2', 'whd_1'));
  });
  it('leaves what is open at other endpoints alone', () =>
    given(...past)
      .when(replay(replayAt('we_2', 'whd_2')))
      .then(fresh('we_2', 'whd_2', null)));
  it('makes each delivery once', () =>
    given(...past, claimed(100), done, fresh('we_1', 'whd_2', 'whd_1'))
      .when(replay(replayAt('we_1', 'whd_2'), replayAt('we_2', 'whd_3')))
      .then(fresh('we_2', 'whd_3', null)));
  it('is nothing where no endpoint is to get it', () =>
    given(...past)
      .when(replay())
      .thenNothing());
  it('needs an event', () => given().when(replay()).thenRejects('resource_missing'));
  it('is over when the event has expired', () =>
    given(...past, claimed(100), done, { type: 'DeliveriesExpired', at: 160 })
      .when(replay(replayAt('we_1', 'whd_2')))
      .thenRejects('event_expired'));
  it('makes all or none beyond ten thousand deliveries', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => scheduled(`whd_more_${n}`, 'whd_1', 160));
    const both = replay(replayAt('we_2', 'whd_2'), replayAt('we_3', 'whd_3'));
    given(...past, ...many(9_997))
      .when(both)
      .then(fresh('we_2', 'whd_2', null), fresh('we_3', 'whd_3', null));
    given(...past, ...many(9_998))
      .when(both)
      .thenRejects('limit_exceeded');
  });
});
