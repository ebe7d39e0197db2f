import { claim, claimed, event, firstFailed, frozen, past, record, result, scheduled, delivery } from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';

const OUTCOMES = ['DeliverySucceeded', 'DeliveryRetryScheduled', 'DeliveryFailed', 'DeliveryCancelled'];

function decided(command: DeliveryCommand, ...before: readonly DeliveryEvent[]): readonly DeliveryEvent[] {
  return deliveriesDecider.decide(command, fold(deliveriesDecider, before));
}

describe('an outcome', () => {
  const attempted = [...past, claimed(100)];
  const late = 100 + 20_000;
  it.each<[string, DeliveryCommand, readonly DeliveryEvent[]]>([
    ['of a success', record(150, result(1, 200)), attempted],
    ['of a failure that is tried again', record(150, result(1, 503)), attempted],
    ['of a failure for good', record(150, result(1, 404)), attempted],
    ['after which its delivery is cancelled', { ...record(150, result(1, 503)), obstacle: 'endpoint_disabled' }, attempted],
    ['of an attempt that its process did not survive', claim(late, 'att_2'), attempted],
    ['of a delivery that is cancelled while it waits', { ...claim(100), obstacle: 'endpoint_deleted' }, past],
    ['of a command to cancel', { type: 'CancelDelivery', at: 150, deliveryId: 'whd_1', reason: 'endpoint_deleted' }, past],
    ['of a replay that supersedes', { type: 'ReplayDelivery', at: 150, deliveryId: 'whd_1', replay: delivery('whd_2') }, past],
  ])('%s bears the endpoint', (_, command, before) => {
    const outcomes = decided(command, ...before).filter(({ type }) => OUTCOMES.includes(type));
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ deliveryId: 'whd_1', endpointId: 'we_1' });
  });

  it('of an earlier version, which bears none, is folded alike', () => {
    const { endpointId: _, ...earlier } = firstFailed as DeliveryEvent & { endpointId: string };
    const folded = (outcome: DeliveryEvent) => fold(deliveriesDecider, [frozen, scheduled(), claimed(100), outcome]);
    expect(folded(earlier as DeliveryEvent)).toEqual(folded(firstFailed));
    expect(folded(firstFailed).event).toMatchObject({ eventId: event.eventId });
  });
});
