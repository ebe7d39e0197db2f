import { specFor } from '@testing/decider-spec';
import { about, claim, claimed, firstFailed, past, record, result, scheduled } from '@testing/delivery-events';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { CancelReason, DeliveryEvent } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);
const cancel: DeliveryCommand = { type: 'CancelOnRequest', at: 6_000, deliveryId: 'whd_1' };
const cancelled = (reason: CancelReason = 'cancelled_by_user'): DeliveryEvent => ({
  type: 'DeliveryCancelled',
  at: 6_000,
  ...about,
  result: null,
  reason,
});

describe('cancelling a delivery on request', () => {
  it('ends one that waits for its first attempt', () =>
    given(...past)
      .when(cancel)
      .then(cancelled()));
  it('ends one that waits for another attempt', () =>
    given(...past, claimed(100), firstFailed)
      .when(cancel)
      .then(cancelled()));
  it('leaves the other deliveries of the event alone', () =>
    given(...past, scheduled('whd_2'), cancelled())
      .when({ ...cancel, deliveryId: 'whd_2' } as DeliveryCommand)
      .then({ ...cancelled(), deliveryId: 'whd_2' } as DeliveryEvent));

  it.each<CancelReason>(['cancelled_by_user', 'superseded', 'endpoint_deleted'])(
    'changes nothing of one cancelled as %s',
    (reason) =>
      given(...past, cancelled(reason))
        .when(cancel)
        .thenNothing(),
  );

  it.each<[string, readonly DeliveryEvent[]]>([
    ['delivering', [claimed(100)]],
    ['delivering', [claimed(100), { type: 'DeliverySuperseded', at: 150, deliveryId: 'whd_1', by: 'whd_2' }]],
    ['succeeded', [claimed(100), { type: 'DeliverySucceeded', at: 150, ...about, result: result(1, 200) }]],
    [
      'failed',
      [claimed(100), { type: 'DeliveryFailed', at: 150, ...about, result: result(1, 404), reason: 'permanent_rejection' }],
    ],
  ])('is refused for one that is %s', (current_status, events) =>
    given(...past, ...events)
      .when(cancel)
      .thenRejects('delivery_not_cancellable', { extras: { current_status } }),
  );

  it('is refused for one of another event', () =>
    given(...past)
      .when({ ...cancel, deliveryId: 'whd_9' } as DeliveryCommand)
      .thenRejects('resource_missing', { param: 'id' }));

  it('lets no attempt follow', () => {
    given(...past, cancelled())
      .when(claim(7_000))
      .thenNothing();
    given(...past, claimed(100), firstFailed, cancelled())
      .when(record(7_000, result(2, 200)))
      .thenNothing();
  });
});
