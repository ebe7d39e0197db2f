import type { DeliveryEvent, DeliveryTrigger } from '@domain/delivery/delivery.events';
import type { SharedChange } from '../../read-models/projection.js';
import { slotChanges } from '../../read-models/slot-changes.js';
import { emptySlot, withEvent, type DeliverySlot } from './delivery-slot.js';
import { openChange, openMove } from './open-row.js';

interface OfDelivery {
  readonly endpointId: string;
  readonly trigger: DeliveryTrigger;
  readonly projectId: string;
  readonly attemptsOver: number;
}

/** What a delivery's event changes in the counts of its endpoint and of its project. Tests are not counted. */
export function statsChanges(
  event: DeliveryEvent,
  { endpointId, trigger, projectId, attemptsOver }: OfDelivery,
): readonly SharedChange[] {
  if (trigger === 'test') return [];
  const move = openMove(event, attemptsOver);
  if (!move) return [];
  const { at } = event;
  const counted = { projectId, at, empty: emptySlot, count: (slot: DeliverySlot) => withEvent(slot, event) };
  return [endpointId, projectId].flatMap((owner) => [
    openChange(owner, projectId, at, move),
    ...('result' in event ? slotChanges({ ...counted, owner }) : []),
  ]);
}
