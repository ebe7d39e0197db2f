import { Injectable } from '@nestjs/common';
import { Waiter } from '@kit/waiter';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import type { Assignment, ConsumeResult } from '@ports/message-bus.port';
import { Shutdown } from '../../runtime/shutdown.js';
import { lineOf, linesOf, type DeliveryPointer } from '../delivery-pointer.js';
import type { AttemptWork } from './attempt-work.js';
import { Backlog } from './backlog.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { EndpointQueue } from './endpoint-queue.js';

/** Limits on deliveries whose streams are read ahead: per endpoint, and in all. */
const READ_AHEAD = { each: 32, all: 2_000 };

/**
 * Keeps endpoints within their limits without blocking a partition of the bus: a pointer to a busy endpoint is accepted and waits
 * here, or is left to the overdue sweeper. A partition waits only while all places for attempts are taken; it then gets every
 * second one that becomes free. Bulk deliveries wait in lines of their own, and never keep a partition waiting.
 */
@Injectable()
export class AttemptScheduler {
  private readonly queue = new EndpointQueue();
  private readonly backlog = new Backlog(this.queue);
  private readonly limiter: ConcurrencyLimiter;
  /** Endpoints that are resumed when their pace lets another attempt begin. */
  private readonly paced = new Set<string>();
  /** Places kept free for a woken partition until it calls `admit` again. */
  private reserved = 0;
  private isPartitionsTurn = true;
  private readonly room = new Waiter();
  private readonly idle = new Waiter();

  constructor(
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
    private readonly engine: Engine,
  ) {
    this.limiter = new ConcurrencyLimiter(clock);
  }

  get inFlight(): number {
    return this.limiter.open;
  }

  /** Deliveries that wait because their endpoint is at its limit (`receiver`), or due to the pool or the bulk share (`place`). */
  get waiting(): { readonly receiver: number; readonly place: number } {
    const waiting = { receiver: 0, place: 0 };
    for (const [endpointId, size] of this.queue.sizes())
      waiting[this.limiter.isAtLimit(endpointId) ? 'receiver' : 'place'] += size;
    return waiting;
  }

  knows(pointer: DeliveryPointer): boolean {
    return this.queue.has(pointer);
  }

  /** Once the shutdown has begun: hands back what waits. Resolves when the attempts under way are over. */
  async leave(work: AttemptWork): Promise<void> {
    for (const pointer of this.queue.all) this.handBack(pointer, work);
    await this.idle.until(() => this.limiter.open === 0);
  }

  /** Starts an attempt, or queues it. Starts nothing once the process shuts down, nor once the assignment is revoked. */
  admit(pointer: DeliveryPointer, work: AttemptWork, assignment: Assignment): ConsumeResult {
    if (this.shutdown.begun.aborted || assignment.isRevoked) return { kind: 'full', space: NEVER };
    this.limiter.assign(pointer.endpointId, assignment);
    const isKnown = this.queue.has(pointer);
    const mayStart = !isKnown && this.mayStart(pointer);
    const isFull = this.limiter.isFull;
    if (mayStart && isFull && !pointer.bulk) return { kind: 'full', space: this.nextRoom() };
    if (pointer.more) this.backlog.expectMore(lineOf(pointer));
    if (isKnown) {
      this.queue.repeat(pointer);
      return ACCEPTED;
    }
    if (mayStart) this.reserved = 0;
    const isFirst = this.queue.sizeOf(lineOf(pointer)) === 0 && !this.backlog.isRefilling(lineOf(pointer));
    if (!mayStart || isFull || !isFirst) {
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
    const goOn = (): void => {
      this.goOn(pointer, work);
      this.serve(work);
    };
    const answered = (well: boolean | null): void => {
      if (isAnswered) return;
      isAnswered = true;
      // The endpoint is free for the next attempt while the outcome is being stored.
      started.answered(well);
      if (well === null) end();
      goOn();
    };
    const found = (rate: number | null) => started.found(rate) && goOn();
    const isMade = await work.attempt(pointer, { found, sends: () => started.sends() && goOn(), answered });
    end();
    if (!isMade && this.isOthers(pointer.endpointId)) this.backlog.add(pointer);
    this.goOn(pointer, work);
    if (this.room.size > 0) this.takeTurns();
    this.serve(work);
    this.forget(pointer.endpointId);
    if (this.limiter.open === 0) this.idle.wake();
  }

  /** Called when the endpoint has room again: starts what waits, or looks up more. */
  private goOn(pointer: DeliveryPointer, work: AttemptWork): void {
    const { endpointId } = pointer;
    if (this.isOthers(endpointId)) return this.handBack(pointer, work);
    this.queue.resume(endpointId);
    for (const bulk of [false, true]) {
      const line = lineOf({ endpointId, bulk });
      if (this.queue.sizeOf(line) === 0 && this.backlog.hasMore(line)) void this.refill({ ...pointer, bulk }, work);
    }
  }

  private mayStart(pointer: DeliveryPointer): boolean {
    return this.limiter.mayStart(pointer, this.liveWaits(pointer));
  }

  private liveWaits({ endpointId, bulk = false }: DeliveryPointer): boolean {
    return bulk && this.queue.sizeOf(endpointId) > 0;
  }

  private serve(work: AttemptWork): void {
    if (this.shutdown.begun.aborted) return;
    for (const endpointId of this.limiter.takeThrottled()) this.queue.resume(endpointId);
    for (let first = this.queue.first(); first; first = this.queue.first()) {
      if (this.isOthers(first.endpointId)) {
        this.handBack(first, work);
        continue;
      }
      if (!this.limiter.hasPlaceBeside(this.reserved)) return;
      if (this.mayStart(first)) this.startNext(work);
      this.pauseIfLimited(first, work);
    }
    if (!this.limiter.isFull) this.room.wake();
  }

  /** The more endpoints there are, the fewer attempts of each are read ahead. */
  private startNext(work: AttemptWork): void {
    const atOnce = Math.min(READ_AHEAD.each, Math.floor(READ_AHEAD.all / this.limiter.size));
    const next = this.queue.take(atOnce, (announced) => work.readAhead(announced));
    if (next) void this.run(next, work);
  }

  private pauseIfLimited(first: DeliveryPointer, work: AttemptWork): void {
    const line = lineOf(first);
    const next = this.queue.first(line);
    if (next) {
      if (this.mayStart(next)) return;
      this.queue.pause(line);
      this.limiter.throttle(next, this.liveWaits(next));
      this.resumeInPace(next.endpointId, work);
    } else if (!this.queue.waitsFor(first.endpointId)) this.limiter.unthrottle(first.endpointId);
  }

  /** Sets a timer for the pace; none if it depends on another attempt, which resumes the lines when it sends or ends. */
  private resumeInPace(endpointId: string, work: AttemptWork): void {
    const waitMs = this.limiter.pacedFor(endpointId);
    if (!waitMs || this.paced.has(endpointId)) return;
    this.paced.add(endpointId);
    this.clock.after(waitMs, () => {
      this.paced.delete(endpointId);
      this.queue.resume(endpointId);
      this.serve(work);
    });
  }

  /** Whether the endpoint's attempts are left to another process: this one lost the partition, or shuts down. */
  private isOthers(endpointId: string): boolean {
    return this.shutdown.begun.aborted || this.limiter.isRevoked(endpointId);
  }

  /** Hands what waits for the endpoint to another process. A single process finds it at its next start instead. */
  private handBack(pointer: DeliveryPointer, work: AttemptWork): void {
    if (this.shutdown.begun.aborted && !this.engine.isShared) return;
    const { endpointId } = pointer;
    this.limiter.unthrottle(endpointId);
    const dropped = this.queue.drop(endpointId);
    const last = new Map([pointer, ...dropped].map((each) => [lineOf(each), each]));
    const more = [...last].flatMap(([line, each]) => (this.backlog.takeMore(line) ? [{ ...each, more: true }] : []));
    if (dropped.length + more.length > 0) work.handBack([...dropped, ...more]);
  }

  private takeTurns(): void {
    this.reserved = this.isPartitionsTurn ? 1 : 0;
    if (this.isPartitionsTurn) this.room.wake();
    this.isPartitionsTurn = !this.isPartitionsTurn;
  }

  private async refill(pointer: DeliveryPointer, work: AttemptWork): Promise<void> {
    const { endpointId } = pointer;
    if (this.backlog.isRefilling(lineOf(pointer))) return;
    await this.backlog.refill(pointer, (about, limit) => work.due(about, limit));
    this.queue.resume(endpointId);
    this.serve(work);
    this.forget(endpointId);
  }

  private async nextRoom(): Promise<void> {
    await this.room.register().signalled;
  }

  private forget(endpointId: string): void {
    const lines = linesOf(endpointId);
    if (lines.some((line) => this.queue.sizeOf(line) > 0 || this.backlog.isRefilling(line))) return;
    if (this.limiter.forget(endpointId)) lines.forEach((line) => this.backlog.forget(line));
  }
}

const NEVER = new Promise<void>(() => undefined);
/** Acknowledges the pointer, so that its partition continues. */
const ACCEPTED: ConsumeResult = { kind: 'accepted', done: Promise.resolve() };
