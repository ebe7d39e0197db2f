import type { DeliveryPointer } from '../delivery-pointer.js';
import { MAX_WAITING, type EndpointQueue } from './endpoint-queue.js';

/** Pointers to what is due for the endpoint of a pointer, oldest first. */
export type FindDue = (pointer: DeliveryPointer, limit: number) => Promise<readonly DeliveryPointer[]>;

/** What is due for endpoints beyond what waits in the queue: it is looked up once an endpoint has made what it knew of. */
export class Backlog {
  /** Endpoints with more to do than is known: pointers were dropped, or never published. */
  private readonly incomplete = new Set<string>();
  private readonly refilling = new Set<string>();

  constructor(private readonly queue: EndpointQueue) {}

  isRefilling(endpointId: string): boolean {
    return this.refilling.has(endpointId);
  }

  /** Whether there is more to do for the endpoint than is known. */
  hasMore(endpointId: string): boolean {
    return this.incomplete.has(endpointId);
  }

  /** There may be more to do for the endpoint than it will be told of. */
  expectMore(endpointId: string): void {
    this.incomplete.add(endpointId);
  }

  forget(endpointId: string): void {
    this.incomplete.delete(endpointId);
  }

  /** Puts a delivery in line, or leaves it to be looked up later. */
  add(pointer: DeliveryPointer): void {
    if (!this.queue.add(pointer)) this.expectMore(pointer.endpointId);
  }

  /** Looks up what is due for the endpoint of this pointer and puts it in line. Never rejects: a failure leaves it incomplete. */
  async refill(pointer: DeliveryPointer, findDue: FindDue): Promise<void> {
    const { endpointId } = pointer;
    this.refilling.add(endpointId);
    this.incomplete.delete(endpointId);
    try {
      const found = await findDue(pointer, MAX_WAITING);
      if (found.length >= MAX_WAITING) this.expectMore(endpointId);
      for (const each of found) if (!this.queue.has(each)) this.add(each);
    } catch {
      this.expectMore(endpointId);
    }
    this.refilling.delete(endpointId);
  }
}
