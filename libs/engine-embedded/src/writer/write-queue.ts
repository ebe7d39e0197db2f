import { Waiter } from '@kit/waiter';
import { APPEND_TIMES } from '@ports/append-times';
import { Clock } from '@ports/clock.port';
import { StoreDamaged, StoreUnavailable } from '@ports/event-store.port';
import { RowsRefused } from '@ports/read-models.port';
import { nextTick } from 'node:process';
import { setImmediate } from 'node:timers';
import { type Refusal, type WriteAnswer, type WriteRequest, isRefusal } from './requests.js';
import { StoreHealth } from './store-health.js';
import { TimeSlicedQueue } from './time-sliced-queue.js';
import type { WriterThread } from './writer-thread.js';

const { unknownAfterMs } = APPEND_TIMES;
const TOO_SLOW = 'the disk does not answer in time';
const LATER_MS = 100;
/** Flush as soon as this many requests are queued: the writer works while the rest is being made. */
const ENOUGH = 64;
/** Messages the writer may have: the present one, and the next. */
const MESSAGES_AT_ONCE = 2;

interface Pending {
  readonly askedAt: number;
  readonly answered: (answer: WriteAnswer) => void;
  readonly overdue: (() => void) | undefined;
  answer: WriteAnswer;
}

/** Sends requests in order. Those that arrive while the writer is busy share its next message: commits are cheap in groups. */
export class WriteQueue {
  private outgoing: WriteRequest[] = [];
  private readonly underWay: number[] = [];
  private readonly pending: Pending[] = [];
  private readonly postponed = new Map<string, WriteRequest>();
  private postponedTimer: (() => void) | undefined;
  private watchdog: (() => void) | undefined;
  private stopped: string | undefined;
  private threadIsGone = false;
  private isDamaged = false;
  private readonly idle = new Waiter();
  private readonly telling: TimeSlicedQueue<Pending>;
  private readonly health: StoreHealth;
  /** In milliseconds of `Clock.elapsed`. */
  private settledAt: number;

  constructor(
    private readonly thread: WriterThread,
    private readonly clock: Clock,
  ) {
    this.telling = new TimeSlicedQueue<Pending>(
      clock,
      ({ answered, answer }) => answered(answer),
      () => this.idle.wake(),
    );
    this.health = new StoreHealth(clock);
    this.settledAt = clock.elapsed();
    thread.onAnswers((answers) => this.settle(answers));
    thread.onLost((reason) => {
      this.threadIsGone = true;
      this.lose(reason);
    });
  }

  get ready(): boolean {
    return this.health.well && this.stopped === undefined;
  }

  /** Milliseconds since a request was last pending; 0 while one is. */
  get quietMs(): number {
    return this.pending.length > 0 ? 0 : this.clock.elapsed() - this.settledAt;
  }

  get closed(): boolean {
    return this.stopped !== undefined;
  }

  /** Calls `answered` once, in the order of sending, and `overdue` before that if the answer is late. */
  send(request: WriteRequest, answered: (answer: WriteAnswer) => void, overdue?: () => void): void {
    if (this.outgoing.length === 0) this.flushSoon();
    this.add(request, answered, overdue);
  }

  /** Rejects with `StoreUnavailable` when the disk is at fault, with `RowsRefused` when rows are. */
  ask<Answer extends WriteAnswer>(request: WriteRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.send(request, (answer) => {
        if (isRefusal(answer)) reject(failureOf(answer));
        else resolve(answer as Answer);
      });
    });
  }

  /** Sends the request a little later, with others. A newer request under the same key replaces it. */
  postpone(key: string, request: WriteRequest): void {
    this.postponed.set(key, request);
    this.postponedTimer ??= this.clock.after(LATER_MS, () => this.sendPostponed());
  }

  /** The file is damaged: refuses every request from now on, pending ones too. */
  condemn(reason: string): void {
    this.isDamaged = true;
    this.lose(reason);
  }

  async drained(): Promise<void> {
    this.sendPostponed();
    await this.idle.until(() => this.pending.length === 0 && !this.telling.busy);
  }

  async close(): Promise<void> {
    do await this.drained();
    while (this.pending.length > 0);
    this.stopped = 'the store is closed';
    this.watchdog?.();
    if (!this.threadIsGone) await this.thread.close();
  }

  private add(request: WriteRequest, answered: (answer: WriteAnswer) => void, overdue: (() => void) | undefined): void {
    if (this.stopped !== undefined) return answered(this.refusal('not-stored', this.stopped));
    this.outgoing.push(request);
    this.pending.push({ askedAt: this.clock.elapsed(), answered, overdue, answer: null });
    if (this.outgoing.length >= ENOUGH) this.flush();
    this.watchdog ??= this.clock.after(unknownAfterMs, () => this.watch());
  }

  private sendPostponed(): void {
    this.postponedTimer?.();
    this.postponedTimer = undefined;
    for (const request of this.postponed.values()) this.send(request, () => undefined);
    this.postponed.clear();
  }

  /** Flushes at once when the writer is idle, else at the end of this turn of the event loop. */
  private flushSoon(): void {
    if (this.underWay.length === 0) nextTick(() => this.flush());
    else if (this.underWay.length < MESSAGES_AT_ONCE) setImmediate(() => this.flush());
  }

  private flush(): void {
    const batch = this.outgoing;
    if (this.stopped !== undefined || batch.length === 0 || this.underWay.length >= MESSAGES_AT_ONCE) return;
    this.outgoing = [];
    this.underWay.push(batch.length);
    this.thread.post(batch);
  }

  private settle(answers: readonly WriteAnswer[]): void {
    if (this.stopped !== undefined) return;
    const settled = this.pending.splice(0, answers.length);
    this.settledAt = this.clock.elapsed();
    this.noteAnswered(answers.length);
    this.flush();
    const refusal = answers.filter(isRefusal).find(({ disk }) => disk);
    if (refusal) this.health.notStored(refusal.reason);
    else this.health.stored();
    for (const [index, pending] of settled.entries()) pending.answer = answers[index] ?? null;
    this.telling.add(settled);
  }

  /** One commit may answer several messages, or a part of one. */
  private noteAnswered(count: number): void {
    let answered = count;
    while (answered > 0 && this.underWay[0] !== undefined) {
      const [oldest] = this.underWay;
      if (oldest > answered) this.underWay[0] = oldest - answered;
      else this.underWay.shift();
      answered -= oldest;
    }
  }

  /** One timer serves all requests: it checks the oldest and is set again for the next. */
  private watch(): void {
    setImmediate(() => this.expire());
  }

  private expire(): void {
    const now = this.clock.elapsed();
    const late = this.pending.filter(({ askedAt }) => askedAt + unknownAfterMs <= now);
    if (late.length > 0) this.health.notStored(TOO_SLOW);
    for (const { overdue } of late) overdue?.();
    const next = this.pending[late.length];
    this.watchdog = next && this.clock.after(next.askedAt + unknownAfterMs - now, () => this.watch());
  }

  private lose(reason: string): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.health.lost(reason);
    this.outgoing = [];
    const lost = this.pending.splice(0);
    for (const pending of lost) pending.answer = this.refusal('unknown', reason);
    this.telling.add(lost);
  }

  private refusal(refused: Refusal['refused'], reason: string): Refusal {
    return { refused, reason, disk: true, ...(this.isDamaged && { damaged: true }) };
  }
}

/** `StoreDamaged` when the file is damaged, `StoreUnavailable` when the disk fails, `RowsRefused` when rows cannot be stored. */
export function failureOf({ disk, damaged, rows, reason }: Refusal): Error {
  if (damaged) return new StoreDamaged(reason);
  if (disk) return new StoreUnavailable(reason);
  return rows ? new RowsRefused(reason) : new Error(reason);
}
