import { FairQueue } from '@kit/fair-queue';
import type { DeliveryPointer } from '../delivery-pointer.js';

/** Pointers that wait for one endpoint; what is beyond that has to be looked up. */
export const MAX_WAITING = 1_000;

/**
 * The deliveries of this process, each once, under way or waiting for room at their endpoints. Endpoints with something to do
 * take turns, but for those that are paused.
 */
export class EndpointQueue {
  private readonly waiting = new FairQueue<DeliveryPointer>(MAX_WAITING);
  /** By delivery: under way or waiting. */
  private readonly known = new Map<string, DeliveryPointer>();
  /** By delivery: its next attempt, due before the outcome of the one under way is stored. */
  private readonly nextAttempts = new Map<string, DeliveryPointer>();
  /** By endpoint: how many of those that wait were announced, from the first on. */
  private readonly announced = new Map<string, number>();

  /** Whether the delivery is under way or waits, for the same endpoint. */
  has(pointer: DeliveryPointer): boolean {
    return this.known.has(keyOf(pointer));
  }

  /** How many wait for this endpoint. */
  sizeOf(endpointId: string): number {
    return this.waiting.sizeOf(endpointId);
  }

  /** How many wait for each endpoint. */
  sizes(): Iterable<readonly [endpointId: string, size: number]> {
    return this.waiting.sizes();
  }

  /** The first that waits for the endpoint whose turn it is, or for this one. */
  first(endpointId = this.waiting.nextOwner): DeliveryPointer | undefined {
    return endpointId === undefined ? undefined : this.waiting.peek(endpointId, 1)[0];
  }

  /** Puts a delivery in line; false where as many wait for its endpoint as may. */
  add(pointer: DeliveryPointer): boolean {
    const isAdded = this.waiting.push(pointer.endpointId, pointer);
    if (isAdded) this.known.set(keyOf(pointer), pointer);
    return isAdded;
  }

  /** Notes a delivery that is under way without having waited. */
  begin(pointer: DeliveryPointer): void {
    this.known.set(keyOf(pointer), pointer);
  }

  /** A further pointer to a known delivery: the same attempt is dropped, the next one follows the one under way. */
  repeat(pointer: DeliveryPointer): void {
    const key = keyOf(pointer);
    if (pointer.attempt > (this.known.get(key)?.attempt ?? 0)) this.nextAttempts.set(key, pointer);
  }

  /** Forgets a delivery whose outcome is stored; its next attempt, where that came meanwhile. */
  end(pointer: DeliveryPointer): DeliveryPointer | undefined {
    const key = keyOf(pointer);
    const next = this.nextAttempts.get(key);
    this.known.delete(key);
    this.nextAttempts.delete(key);
    return next;
  }

  /**
   * Takes the first delivery of the endpoint whose turn it is, which goes to the end of the round. `announce` is called with
   * the deliveries that come next for it, up to so many at once and each once.
   */
  take(atOnce: number, announce: (next: readonly DeliveryPointer[]) => void): DeliveryPointer | undefined {
    const endpointId = this.waiting.nextOwner;
    if (endpointId === undefined) return undefined;
    let announced = this.announced.get(endpointId) ?? 0;
    if (announced === 0 && atOnce > 1 && this.sizeOf(endpointId) > 1) {
      const next = this.waiting.peek(endpointId, atOnce);
      announced = next.length;
      announce(next);
    }
    if (announced > 1) this.announced.set(endpointId, announced - 1);
    else this.announced.delete(endpointId);
    return this.waiting.next()?.items[0];
  }

  /** Gives the endpoint no turn until it is resumed. */
  pause(endpointId: string): void {
    this.waiting.pause(endpointId);
  }

  /** Lets a paused endpoint take turns again, at the end of the round. */
  resume(endpointId: string): void {
    this.waiting.resume(endpointId);
  }
}

/** Every name in the pointer, so that a pointer with a wrong one does not count as another of the same delivery. */
function keyOf({ eventId, deliveryId, projectId, endpointId, appointmentId }: DeliveryPointer): string {
  return `${eventId} ${deliveryId} ${projectId} ${endpointId} ${appointmentId}`;
}
