import { FairQueue } from '@kit/fair-queue';
import { endpointIn, lineOf, linesOf, type DeliveryPointer } from '../delivery-pointer.js';

/** Limit of pointers queued per line; the rest is looked up later. */
export const MAX_WAITING = 1_000;

/**
 * This process's deliveries, each once, running or queued. An endpoint has a line for live and one for bulk deliveries. Lines take
 * turns, except paused ones.
 */
export class EndpointQueue {
  private readonly waiting = new FairQueue<DeliveryPointer>(MAX_WAITING);
  private readonly known = new Map<string, DeliveryPointer>();
  /** By delivery: a next attempt that came before the running one's outcome is stored. */
  private readonly nextAttempts = new Map<string, DeliveryPointer>();
  /** By line: how many deliveries at its head are being read ahead. */
  private readonly announced = new Map<string, number>();

  get all(): readonly DeliveryPointer[] {
    return [...this.known.values()];
  }

  has(pointer: DeliveryPointer): boolean {
    return this.known.has(keyOf(pointer));
  }

  sizeOf(line: string): number {
    return this.waiting.sizeOf(line);
  }

  /** Whether anything waits for the endpoint. */
  waitsFor(endpointId: string): boolean {
    return linesOf(endpointId).some((line) => this.sizeOf(line) > 0);
  }

  /** One entry per line: an endpoint may occur twice. */
  *sizes(): Generator<readonly [endpointId: string, size: number]> {
    for (const [line, size] of this.waiting.sizes()) yield [endpointIn(line), size];
  }

  /** The first of this line, by default of the one whose turn it is. */
  first(line = this.waiting.nextOwner): DeliveryPointer | undefined {
    return line === undefined ? undefined : this.waiting.peek(line, 1)[0];
  }

  /** Queues a delivery; false when its line is full. */
  add(pointer: DeliveryPointer): boolean {
    const isAdded = this.waiting.push(lineOf(pointer), pointer);
    if (isAdded) this.known.set(keyOf(pointer), pointer);
    return isAdded;
  }

  begin(pointer: DeliveryPointer): void {
    this.known.set(keyOf(pointer), pointer);
  }

  /** A second pointer to a known delivery: the same attempt is dropped, the next one follows the running one. */
  repeat(pointer: DeliveryPointer): void {
    const key = keyOf(pointer);
    if (pointer.attempt > (this.known.get(key)?.attempt ?? 0)) this.nextAttempts.set(key, pointer);
  }

  /** Forgets a delivery whose outcome is stored; returns its next attempt if that came meanwhile. */
  end(pointer: DeliveryPointer): DeliveryPointer | undefined {
    const key = keyOf(pointer);
    const next = this.nextAttempts.get(key);
    this.known.delete(key);
    this.nextAttempts.delete(key);
    return next;
  }

  /** Takes the head of the line whose turn it is; first calls `announce` with up to `atOnce` deliveries there, each once. */
  take(atOnce: number, announce: (next: readonly DeliveryPointer[]) => void): DeliveryPointer | undefined {
    const line = this.waiting.nextOwner;
    if (line === undefined) return undefined;
    let announced = this.announced.get(line) ?? 0;
    if (announced === 0 && atOnce > 1 && this.sizeOf(line) > 1) {
      const next = this.waiting.peek(line, atOnce);
      announced = next.length;
      announce(next);
    }
    if (announced > 1) this.announced.set(line, announced - 1);
    else this.announced.delete(line);
    return this.waiting.next()?.items[0];
  }

  /** Forgets what is queued for the endpoint, and returns it. */
  drop(endpointId: string): readonly DeliveryPointer[] {
    const lines = linesOf(endpointId);
    const dropped = lines.flatMap((line) => this.waiting.drop(line));
    for (const pointer of dropped) this.end(pointer);
    for (const line of lines) this.announced.delete(line);
    return dropped;
  }

  pause(line: string): void {
    this.waiting.pause(line);
  }

  /** Both lines of the endpoint. */
  resume(endpointId: string): void {
    for (const line of linesOf(endpointId)) this.waiting.resume(line);
  }
}

/** Contains all ids, so that a pointer with a wrong one does not count as the same delivery. */
function keyOf({ eventId, deliveryId, projectId, endpointId, appointmentId }: DeliveryPointer): string {
  return `${eventId} ${deliveryId} ${projectId} ${endpointId} ${appointmentId}`;
}
