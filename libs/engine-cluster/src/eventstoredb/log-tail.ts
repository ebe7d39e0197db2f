import { Backoff } from '@kit/time';
import { KeyedWaiter, onceAborted, Waiter } from '@kit/waiter';
import { type Clock, pause } from '@ports/clock.port';
import { type Position, StoreUnavailable } from '@ports/event-store.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { ClockGauge } from './clock-gauge.js';
import type { LogName } from './log-name.js';
import type { LogPage, LogPages } from './log-pages.js';
import { PositionUnusable } from './position.js';
import { RecentEvents } from './recent-events.js';

const { lookAgainMs, pageEvents } = ENGINE_CONSTANTS.eventStoreDb;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
/** The looks, one after the other, that find something of which the subscription said nothing; then it counts as dead. */
const MISSED_AT_MOST = 3;

export interface TailListener {
  /** Events come, and the subscription says nothing. */
  onMissed(): void;
  /** The server answered a look, or did not. */
  onLook(isWell: boolean, failure?: unknown): void;
  /** The server's clock is ahead by more than clocks may differ; behind where negative. */
  onSkew(aheadMs: number): void;
  /** The log is another one, or an older copy of it, than was read until now. */
  onReplaced(log: OpenedLog, isOlderCopy: boolean): void;
}

/** The log as it is found when it is opened. */
export interface OpenedLog extends LogName {
  readonly end: Position;
}

/**
 * The one reader of the log's end, for every feed of the process: what it finds it keeps for the feeds, and wakes those who wait
 * for the stream. It looks when it is told to, and by itself every 250 ms, so that a subscription that is dead costs time only.
 */
export class LogTail {
  /** Signals that `recent` has grown. */
  readonly grown = new Waiter();
  /** Signals that a stream has grown. */
  readonly changes = new KeyedWaiter();
  recent: RecentEvents;
  /** Grows by one when the log is replaced. Feeds that began before end then. */
  era = 0;
  private readonly asked = new Waiter();
  private readonly serverClock: ClockGauge;
  private readonly stop = new AbortController();
  private missed = 0;
  private failure: PositionUnusable | undefined;
  private isWell = true;

  constructor(
    private readonly pages: LogPages,
    private readonly clock: Clock,
    private log: OpenedLog,
    private readonly open: () => Promise<OpenedLog>,
    private readonly listener: TailListener,
  ) {
    this.recent = new RecentEvents(log.end);
    this.serverClock = new ClockGauge(clock, (aheadMs) => this.listener.onSkew(aheadMs));
  }

  /** Whether the last look succeeded. */
  get reachesServer(): boolean {
    return this.isWell;
  }

  /** Looks now. */
  lookNow(): void {
    this.asked.wake();
  }

  /** Reads the log until it is closed. */
  async run(): Promise<void> {
    const backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
    let wasAsked = true;
    while (!this.stop.signal.aborted && !this.failure) {
      const asked = this.asked.register((stop) => this.clock.after(lookAgainMs, stop));
      try {
        const begunAt = this.clock.now();
        const page = await this.pages.after(this.recent.upTo, pageEvents);
        if (!page.continues && (await this.wasReplaced())) continue;
        this.serverClock.note(page, begunAt);
        if (page.upTo !== this.recent.upTo) this.take(page, wasAsked);
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
   * What comes after the position, once there is something; null when it is too old to be in memory. Rejects when the log cannot
   * be read, is closed, or is no longer that of the era.
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

  /** Throws where the log is no longer that of the era. */
  check(era: number): void {
    if (era !== this.era) throw new StoreUnavailable('the log was replaced', true);
  }

  /** Ends every wait. */
  close(): void {
    this.stop.abort();
    this.asked.cancelAll();
    this.grown.cancelAll();
    this.changes.cancelAll();
  }

  /**
   * Finds out why the event was not found after which the tail reads on. Either the log was replaced, or the event is one that
   * another application wrote in a transaction: that cannot be found by its position, but it is the newest of the log.
   */
  private async wasReplaced(): Promise<boolean> {
    const found = await this.open();
    if (found.name === this.log.name && found.end === this.recent.upTo) return false;
    const isOlderCopy = found.name === this.log.name;
    this.log = found;
    this.era += 1;
    this.recent = new RecentEvents(found.end);
    this.serverClock.forget();
    this.listener.onReplaced(found, isOlderCopy);
    this.grown.wake();
    return true;
  }

  private take(page: LogPage, wasAsked: boolean): void {
    this.recent.add(page);
    for (const stream of new Set(page.events.map((event) => event.stream))) this.changes.wake(stream);
    this.grown.wake();
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
