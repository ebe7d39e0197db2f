import type { DomainEvent } from '@domain/kernel/decider';
import { pause, type Clock } from '@ports/clock.port';
import { START, type EventStore, type FeedBatch, type Position, type Recorded } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { RowFold } from './row-fold.js';
import { writeApart } from './rows-apart.js';

/** Where rows live: the live collection or one being rebuilt. */
export interface RowTarget {
  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  apply(rows: readonly StoredRow[], checkpoint: Position): Promise<void>;
}

export interface FollowingOptions {
  /** Writes once so many rows have changed, or when somebody waits for them; 0 also writes a mere checkpoint. */
  readonly writeAt: number;
  /** Reading pauses while more changed rows than this wait to be written. */
  readonly mostWaiting: number;
  /** In one request to the store, more where very many wait: what else it is asked for comes between them. */
  readonly writtenAtOnce: number;
  readonly remembered: number;
  readonly rest?: Rest;
  readonly onSkipped: (record: Recorded, error: unknown) => void;
  /** Told of a row that the store will never take as it is; what it held before stays, until a later event makes it another. */
  readonly onRefused: (row: StoredRow, error: RowsRefused) => void;
  readonly onWritten?: (upTo: Position) => void;
}

/**
 * Before each write it rests, so that a row that changes several times in a row is written once: briefly, after a write
 * of many rows longer, and as long as that for a mere checkpoint, until there are rows. Never while somebody waits, nor
 * when no more may wait to be written.
 */
interface Rest {
  readonly clock: Clock;
  readonly brieflyMs: number;
  readonly manyRows: number;
  readonly longerMs: number;
}

const READ_AT_ONCE = 512;
/** Rows written in one request, however many wait. */
const MOST_AT_ONCE = 512;

interface Waiter {
  readonly position: Position;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One pass of a projection over the feed. Folding goes on while a write is under way, and the next write takes
 * whatever has changed meanwhile: one write at a time, so the order is kept, and the busier the feed the larger the writes.
 */
export class Following {
  /** Everything up to here is written. */
  position: Position;
  private seen: Position;
  private wanted: Position = START;
  private wake: () => void = () => {};
  /** Resting before a mere checkpoint: rows need not wait for it. */
  private idling = false;
  private wroteMany = false;
  private writing: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private hasEnded = false;
  private waiters: Waiter[] = [];
  private readonly fold: RowFold;
  private readonly end: LinkedAbort;

  constructor(
    private readonly store: EventStore,
    private readonly projection: Projection<DomainEvent>,
    private readonly target: RowTarget,
    from: Position,
    private readonly options: FollowingOptions,
    signal: AbortSignal,
  ) {
    this.end = new LinkedAbort(signal);
    this.position = from;
    this.seen = from;
    this.fold = new RowFold(projection, (ids) => target.getMany(ids), options);
  }

  /** Follows until the signal aborts, and then writes what it has read. Rejects when the store or the rows are out of reach. */
  async run(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.failure ??= { error };
    }
    this.end.abort();
    await this.flush();
    this.end.unlink();
    this.hasEnded = true;
    for (const { reject } of this.waiters) reject(this.reasonToEnd);
    this.waiters = [];
    if (this.failure) throw this.reasonToEnd;
  }

  /** Somebody waits for what lies up to `position`: no rest before it is written. */
  hurry(position: Position): void {
    if (position <= this.wanted) return;
    this.wanted = position;
    if (this.position < position) this.wake();
  }

  /** Resolves once everything up to `position` is written; rejects when following ends before, or has ended. */
  until(position: Position): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (this.hasEnded) throw this.reasonToEnd;
      this.waiters.push({ position, resolve, reject });
      this.poke();
    });
  }

  private get reasonToEnd(): unknown {
    return this.failure ? this.failure.error : new Error('no longer followed');
  }

  private async read(): Promise<void> {
    const feed = { categories: this.projection.categories, atOnce: READ_AT_ONCE, signal: this.end.signal };
    for await (const batch of this.store.subscribe(this.position, feed)) {
      await this.take(batch);
      if (this.failure) return;
    }
  }

  private async take({ events, upTo }: FeedBatch): Promise<void> {
    if (events.length > 0) await this.fold.take(events);
    if (upTo > this.seen) this.seen = upTo;
    if (this.fold.size > 0 && this.idling) this.wake();
    this.poke();
    if (!this.isFull) return;
    this.wake();
    await this.writing;
  }

  /** Under a flood small requests would fall ever further behind: each waits for whatever else is written. */
  private get atOnce(): number {
    const eighth = Math.ceil(this.fold.size / 8);
    return Math.max(this.options.writtenAtOnce, Math.min(eighth, MOST_AT_ONCE));
  }

  private get isFull(): boolean {
    return this.fold.size >= this.options.mostWaiting;
  }

  private async flush(): Promise<void> {
    if (!this.failure && this.seen > this.position) this.begin();
    while (this.writing) await this.writing;
    if (!this.failure && this.seen > this.position) await this.flush();
  }

  private poke(): void {
    if (!this.failure && this.seen > this.position && this.isWorthWriting()) this.begin();
  }

  private begin(): void {
    this.writing ??= this.restAndWrite().finally(() => {
      this.writing = null;
      this.poke();
    });
  }

  private isWorthWriting(): boolean {
    return this.fold.size >= this.options.writeAt || this.waiters.some(({ position }) => position <= this.seen);
  }

  private async restAndWrite(): Promise<void> {
    const { rest } = this.options;
    if (rest) {
      this.idling = this.fold.size === 0;
      if (this.idling) await this.restFor(rest.clock, rest.longerMs);
      this.idling = false;
      if (this.fold.size > 0) await this.restFor(rest.clock, this.wroteMany ? rest.longerMs : rest.brieflyMs);
      this.wroteMany = this.fold.size >= rest.manyRows;
    }
    if (!this.failure) await this.write();
  }

  private async restFor(clock: Clock, ms: number): Promise<void> {
    if (this.position < this.wanted || this.isFull || this.end.signal.aborted) return;
    const resting = new LinkedAbort(this.end.signal);
    this.wake = resting.abort;
    await pause(clock, ms, resting.signal);
    resting.unlink();
  }

  /** One row that the store does not take holds up no other. */
  private async apply(rows: readonly StoredRow[], upTo: Position): Promise<void> {
    try {
      await this.target.apply(rows, upTo);
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      const { target, options } = this;
      await writeApart(rows, this.position, (part, at) => target.apply(part, at), options.onRefused);
      await target.apply([], upTo);
    }
  }

  /** Never rejects: a failure ends the pass. */
  private async write(): Promise<void> {
    const upTo = this.seen;
    try {
      for (const { rows, isLast } of this.fold.leave(this.atOnce)) {
        await this.apply(rows, isLast ? upTo : this.position);
      }
    } catch (error) {
      this.failure ??= { error };
      this.end.abort();
      return;
    }
    this.fold.confirm();
    this.position = upTo;
    this.options.onWritten?.(upTo);
    this.waiters = this.waiters.filter((waiter) => waiter.position > upTo || void waiter.resolve());
  }
}
