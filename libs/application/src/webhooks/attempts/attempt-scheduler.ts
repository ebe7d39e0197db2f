import { Injectable } from '@nestjs/common';
import { Waiter } from '@kit/waiter';
import type { ConsumeResult } from '@ports/message-bus.port';
import { Shutdown } from '../../runtime/shutdown.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { Backlog, type FindDue } from './backlog.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { EndpointQueue } from './endpoint-queue.js';

/** Attempts whose streams are read ahead: of one endpoint, and of all together. */
const READ_AHEAD = { each: 32, all: 2_000 };

export interface AttemptWork {
  /**
   * Makes an attempt; resolves when its outcome is stored. Calls `answered` before that, as soon as the endpoint has answered
   * or it is clear that nothing is sent: true for a quick success, null where nothing was sent, after which a pointer to the same
   * attempt may come. Only the first call counts.
   */
  attempt(pointer: DeliveryPointer, answered: (well: boolean | null) => void): Promise<void>;
  due: FindDue;
  /** Reads what these attempts will need, which come next, for all of them together. */
  readAhead(next: readonly DeliveryPointer[]): void;
}

/**
 * Starts attempts so that no endpoint gets more than its limit, and none holds up a partition of the bus: a pointer whose
 * endpoint is at its limit is accepted and waits here, or is found again by the sweep. A partition waits only while the whole
 * pool is in use; then every second place that becomes free is reserved for partitions, the others are for what waits here.
 */
@Injectable()
export class AttemptScheduler {
  private readonly queue = new EndpointQueue();
  private readonly backlog = new Backlog(this.queue);
  private readonly limiter = new ConcurrencyLimiter();
  /** Places reserved for a partition that has not come back yet. */
  private reserved = 0;
  private isPartitionsTurn = true;
  private readonly room = new Waiter();
  private readonly idle = new Waiter();

  constructor(private readonly shutdown: Shutdown) {}

  /** Attempts whose outcome is not stored yet. */
  get inFlight(): number {
    return this.limiter.open;
  }

  /** Deliveries that wait here: until their receiver answers earlier ones, or for a place among all attempts of this process. */
  get waiting(): { readonly receiver: number; readonly place: number } {
    const waiting = { receiver: 0, place: 0 };
    for (const [endpointId, size] of this.queue.sizes())
      waiting[this.limiter.isAtLimit(endpointId) ? 'receiver' : 'place'] += size;
    return waiting;
  }

  /** Whether the delivery is under way or waits here. */
  knows(pointer: DeliveryPointer): boolean {
    return this.queue.has(pointer);
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    await this.idle.until(() => this.limiter.open === 0);
  }

  /** Starts an attempt, or lets it wait. Nothing begins once the process shuts down. */
  admit(pointer: DeliveryPointer, work: AttemptWork): ConsumeResult {
    if (this.shutdown.begun.aborted) return { kind: 'full', space: NEVER };
    const isKnown = this.queue.has(pointer);
    const mayStart = !isKnown && this.limiter.mayStart(pointer);
    if (mayStart && this.limiter.isFull) return { kind: 'full', space: this.nextRoom() };
    if (pointer.more) this.backlog.expectMore(pointer.endpointId);
    if (isKnown) {
      this.queue.repeat(pointer);
      return ACCEPTED;
    }
    if (mayStart) this.reserved = 0;
    if (!mayStart || this.queue.sizeOf(pointer.endpointId) > 0) {
      this.backlog.add(pointer);
      this.queue.resume(pointer.endpointId);
      this.serve(work);
      return ACCEPTED;
    }
    this.queue.begin(pointer);
    return { kind: 'accepted', done: this.run(pointer, work) };
  }

  private async run(pointer: DeliveryPointer, work: AttemptWork): Promise<void> {
    const started = this.limiter.start(pointer);
    let [isAnswered, isEnded] = [false, false];
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      started.ended();
      const next = this.queue.end(pointer);
      if (next) this.backlog.add(next);
    };
    const answered = (well: boolean | null): void => {
      if (isAnswered) return;
      isAnswered = true;
      // The endpoint can be sent the next while the outcome is being stored.
      started.answered(well);
      if (well === null) end();
      this.goOn(pointer, work);
      this.serve(work);
    };
    await work.attempt(pointer, answered);
    end();
    this.goOn(pointer, work);
    if (this.room.size > 0) this.takeTurns();
    this.serve(work);
    this.forget(pointer.endpointId);
    if (this.limiter.open === 0) this.idle.wake();
  }

  /** The endpoint of this pointer has room for what waits, or time for what has to be looked up. */
  private goOn(pointer: DeliveryPointer, work: AttemptWork): void {
    if (this.queue.sizeOf(pointer.endpointId) > 0) this.queue.resume(pointer.endpointId);
    else if (this.backlog.hasMore(pointer.endpointId)) void this.refill(pointer, work);
  }

  /** Starts what waits, one endpoint after the other. */
  private serve(work: AttemptWork): void {
    if (this.shutdown.begun.aborted) return;
    for (const endpointId of this.limiter.takeThrottled()) this.queue.resume(endpointId);
    for (let first = this.queue.first(); first; first = this.queue.first()) {
      if (!this.limiter.hasPlaceBeside(this.reserved)) return;
      if (this.limiter.mayStart(first)) this.startNext(work);
      this.pauseIfLimited(first.endpointId);
    }
    if (!this.limiter.isFull) this.room.wake();
  }

  /** The more endpoints there are, the fewer attempts of each are read ahead. */
  private startNext(work: AttemptWork): void {
    const atOnce = Math.min(READ_AHEAD.each, Math.floor(READ_AHEAD.all / this.limiter.size));
    const next = this.queue.take(atOnce, (announced) => work.readAhead(announced));
    if (next) void this.run(next, work);
  }

  private pauseIfLimited(endpointId: string): void {
    const next = this.queue.first(endpointId);
    if (!next) return this.limiter.unthrottle(endpointId);
    if (this.limiter.mayStart(next)) return;
    this.queue.pause(endpointId);
    this.limiter.throttle(endpointId);
  }

  /** A place is free again: for the partitions that wait, or for what waits here. */
  private takeTurns(): void {
    this.reserved = this.isPartitionsTurn ? 1 : 0;
    if (this.isPartitionsTurn) this.room.wake();
    this.isPartitionsTurn = !this.isPartitionsTurn;
  }

  private async refill(pointer: DeliveryPointer, work: AttemptWork): Promise<void> {
    const { endpointId } = pointer;
    if (this.backlog.isRefilling(endpointId)) return;
    await this.backlog.refill(pointer, (about, limit) => work.due(about, limit));
    if (this.queue.sizeOf(endpointId) > 0) this.queue.resume(endpointId);
    this.serve(work);
    this.forget(endpointId);
  }

  private async nextRoom(): Promise<void> {
    await this.room.register().signalled;
  }

  private forget(endpointId: string): void {
    if (this.queue.sizeOf(endpointId) > 0 || this.backlog.isRefilling(endpointId)) return;
    if (this.limiter.forget(endpointId)) this.backlog.forget(endpointId);
  }
}

const NEVER = new Promise<void>(() => undefined);
/** The pointer is taken, or dropped: its partition goes on. */
const ACCEPTED: ConsumeResult = { kind: 'accepted', done: Promise.resolve() };
