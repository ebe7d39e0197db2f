import { lineOf, type DeliveryPointer } from '../delivery-pointer.js';
import { MAX_WAITING, type EndpointQueue } from './endpoint-queue.js';

/** Oldest first. */
export type FindDue = (pointer: DeliveryPointer, limit: number) => Promise<readonly DeliveryPointer[]>;

/** Due deliveries beyond those in the queue, by line. They are looked up once the line is done, and until then none goes before them. */
export class Backlog {
  /** Lines with more due than is known: pointers were dropped, or never published. */
  private readonly incomplete = new Set<string>();
  private readonly refilling = new Set<string>();

  constructor(private readonly queue: EndpointQueue) {}

  isRefilling(line: string): boolean {
    return this.refilling.has(line);
  }

  hasMore(line: string): boolean {
    return this.incomplete.has(line);
  }

  /** Assumes that the line has more due than is published to it. */
  expectMore(line: string): void {
    this.incomplete.add(line);
  }

  forget(line: string): void {
    this.incomplete.delete(line);
  }

  /** Whether more may be due for the line than is queued, which is forgotten: a look-up under way queues nothing. */
  takeMore(line: string): boolean {
    const wasRefilling = this.refilling.delete(line);
    return this.incomplete.delete(line) || wasRefilling;
  }

  /** Queues a delivery, or leaves it to be looked up later: also where there is room, if others that are not known go before it. */
  add(pointer: DeliveryPointer): void {
    const line = lineOf(pointer);
    if (this.isBehindOthers(line) || !this.queue.add(pointer)) this.expectMore(line);
  }

  /**
   * Looks up and queues what is due in the pointer's line; again, if nothing is found and more came meanwhile. Never rejects: after a
   * failure the line stays incomplete.
   */
  async refill(pointer: DeliveryPointer, findDue: FindDue): Promise<void> {
    const line = lineOf(pointer);
    this.refilling.add(line);
    try {
      do {
        this.incomplete.delete(line);
        const found = await findDue(pointer, MAX_WAITING);
        if (!this.isRefilling(line)) return;
        const isAll = found.filter((each) => !this.queue.has(each)).every((each) => this.queue.add(each));
        if (!isAll || found.length >= MAX_WAITING) this.expectMore(line);
      } while (this.hasMore(line) && this.queue.sizeOf(line) === 0);
    } catch {
      if (this.isRefilling(line)) this.expectMore(line);
    }
    this.refilling.delete(line);
  }

  /** The rest of an incomplete line is looked up once it is empty, so whatever is in it makes this happen. */
  private isBehindOthers(line: string): boolean {
    return this.isRefilling(line) || (this.hasMore(line) && this.queue.sizeOf(line) > 0);
  }
}
