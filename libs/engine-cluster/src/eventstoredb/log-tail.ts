import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { RecentEvents } from '@kit/recent-events';
import { Backoff } from '@kit/time';
import { KeyedWaiter, onceAborted, Waiter } from '@kit/waiter';
import { type Clock, pause } from '@ports/clock.port';
import { type Position, type Recorded, StoreUnavailable } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { ClockGauge } from './clock-gauge.js';
import type { LogName } from './log-name.js';
import type { LogPage, LogPages } from './log-pages.js';
import { PositionUnusable } from './position.js';

const { lookAgainMs, pageEvents } = ENGINE_CONSTANTS.eventStoreDb;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
/** After so many polls in a row that find events the subscription did not signal, it counts as dead. */
const MISSED_AT_MOST = 3;

export interface TailListener {
  onMissed(): void;
  onLook(isWell: boolean, failure?: unknown): void;
  /** The clocks differ by more than the allowed skew; negative if the server's is behind. */
  onSkew(aheadMs: number): void;
  /** The log is another one, or an older copy. */
  onReplaced(log: OpenedLog, isOlderCopy: boolean): void;
}

export interface OpenedLog extends LogName {
  readonly end: Position;
}

/**
 * The single reader of the log's end: keeps new events in memory and wakes waiters. It also polls: a dead subscription only costs
 * time. Events of a subscription are taken once a look that began after it has reached the log's end: then none is missing.
 */
export class LogTail {
  readonly grown = new Waiter();
  readonly changes = new KeyedWaiter();
  recent: RecentEvents<Recorded>;
  /** Incremented when the log is replaced; feeds of earlier eras end. */
  era = 0;
  private readonly asked = new Waiter();
  private readonly serverClock: ClockGauge;
  private readonly stop = new AbortController();
  private missed = 0;
  /** How many subscriptions have begun or ended, and of which one the events join what is known. */
  private subscriptions = 0;
  private joined = -1;
  /** What the subscription has brought before its events join. */
  private brought: AllStreamRecordedEvent[] = [];
  private failure: PositionUnusable | undefined;
  private isWell = true;

  constructor(
    private readonly pages: LogPages,
    private readonly clock: Clock,
    private log: OpenedLog,
    private readonly open: () => Promise<OpenedLog>,
    private readonly listener: TailListener,
  ) {
    this.recent = recentFrom(log.end);
    this.serverClock = new ClockGauge(clock, (aheadMs) => this.listener.onSkew(aheadMs));
  }

  get reachesServer(): boolean {
    return this.isWell;
  }

  /** A subscription begins or has ended: looks for what came while there was none. */
  lookNow(): void {
    this.subscriptions += 1;
    this.brought = [];
    this.asked.wake();
  }

  /** Takes the next event of the subscription. */
  bring(event: AllStreamRecordedEvent): void {
    this.missed = 0;
    this.brought.push(event);
    if (this.joined === this.subscriptions) this.takeBrought();
    else if (this.brought.length > pageEvents) this.lookNow();
  }

  /** Reads the log until it is closed. */
  async run(): Promise<void> {
    const backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
    let wasAsked = true;
    while (!this.stop.signal.aborted && !this.failure) {
      const asked = this.asked.register((stop) => this.clock.after(lookAgainMs, stop));
      try {
        const begunAt = this.clock.now();
        const { subscriptions } = this;
        const page = await this.pages.after(this.recent.upTo, pageEvents);
        if (!page.continues && (await this.wasReplaced())) continue;
        this.serverClock.note(page, begunAt);
        if (page.upTo > this.recent.upTo) this.find(page, wasAsked);
        if (page.isLast) this.joined = subscriptions;
        if (this.joined === this.subscriptions) this.takeBrought();
        this.tell(true);
        backoff.reset();
        wasAsked = !page.isLast || (await asked.signalled);
      } catch (error) {
        if (error instanceof PositionUnusable) this.failure = error;
        this.tell(false, error);
        await pause(this.clock, backoff.next(), this.stop.signal);
      } finally {
        asked.cancel();
      }
    }
    this.grown.wake();
  }

  /**
   * The events after the position, once there are any; null if it is no longer in memory. Rejects if the log is closed, unreadable or
   * replaced.
   */
  async after(position: Position, count: number, signal: AbortSignal, era: number): Promise<LogPage | null> {
    for (;;) {
      this.check(era);
      if (this.failure) throw this.failure;
      if (this.stop.signal.aborted) throw new StoreUnavailable('the store is closed');
      if (position < this.recent.floor) return null;
      if (position < this.recent.upTo) return this.recent.after(position, count);
      if (signal.aborted) return { events: [], upTo: position, isLast: true };
      await this.grown.register(onceAborted(signal)).signalled;
    }
  }

  check(era: number): void {
    if (era !== this.era) throw new StoreUnavailable('the log was replaced', true);
  }

  close(): void {
    this.stop.abort();
    this.asked.cancelAll();
    this.grown.cancelAll();
    this.changes.cancelAll();
  }

  /**
   * Finds out why the last known event is missing: either the log was replaced, or another application wrote that event in a transaction.
   * The latter cannot be found by its position, but is the newest of the log.
   */
  private async wasReplaced(): Promise<boolean> {
    const found = await this.open();
    if (found.name === this.log.name && found.end === this.recent.upTo) return false;
    const isOlderCopy = found.name === this.log.name;
    this.log = found;
    this.era += 1;
    this.recent = recentFrom(found.end);
    this.serverClock.forget();
    this.listener.onReplaced(found, isOlderCopy);
    this.grown.wake();
    return true;
  }

  private takeBrought(): void {
    try {
      for (const event of this.brought.splice(0)) {
        const page = this.pages.pageOf(event);
        if (page.upTo <= this.recent.upTo) continue;
        this.serverClock.note(page, this.clock.now());
        this.take(page);
      }
    } catch {
      // The look fails likewise, and says so.
      this.lookNow();
    }
  }

  private take({ events, upTo }: LogPage): void {
    const fresh = events.filter(({ position }) => position > this.recent.upTo);
    for (const event of fresh) this.recent.add(event, charactersOf(event));
    this.recent.reach(upTo);
    for (const stream of new Set(fresh.map((event) => event.stream))) this.changes.wake(stream);
    this.grown.wake();
  }

  private find(page: LogPage, wasAsked: boolean): void {
    this.take(page);
    this.missed = wasAsked ? 0 : this.missed + 1;
    if (this.missed < MISSED_AT_MOST) return;
    this.missed = 0;
    this.listener.onMissed();
  }

  private tell(isWell: boolean, failure?: unknown): void {
    this.isWell = isWell;
    this.listener.onLook(isWell, failure);
  }
}

function recentFrom(end: Position): RecentEvents<Recorded> {
  return new RecentEvents(end, ({ stream }) => streamCategory(stream));
}

function charactersOf({ event, metadata }: Recorded): number {
  return JSON.stringify(event).length + (metadata ? JSON.stringify(metadata).length : 0);
}
