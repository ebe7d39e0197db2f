import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { LinkedAbort } from '../linked-abort.js';
import type { Projection } from './projection.js';
import { RowFold } from './row-fold.js';

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
  readonly remembered: number;
  readonly onPoison: (record: Recorded, error: unknown) => void;
  readonly onWritten?: (upTo: Position, lastEventAt: number) => void;
}

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
  private lastEventAt = 0;
  private writing: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private waiters: Waiter[] = [];
  private readonly fold: RowFold;
  private end: LinkedAbort | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly projection: Projection<DomainEvent>,
    private readonly target: RowTarget,
    from: Position,
    private readonly options: FollowingOptions,
  ) {
    this.position = from;
    this.seen = from;
    this.fold = new RowFold(projection, (ids) => target.getMany(ids), options);
  }

  /** Follows until the signal aborts, and then writes what it has read. Rejects when the store or the rows are out of reach. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new LinkedAbort(signal);
    this.end = end;
    try {
      await this.read(end.signal);
    } catch (error) {
      this.failure ??= { error };
    }
    await this.flush();
    end.unlink();
    const error = this.failure?.error;
    for (const { reject } of this.waiters) reject(error ?? new Error('no longer followed'));
    this.waiters = [];
    if (this.failure) throw error;
  }

  /** Resolves once everything up to `position` is written; rejects when following ends before. */
  until(position: Position): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiters.push({ position, resolve, reject });
      this.poke();
    });
  }

  private async read(signal: AbortSignal): Promise<void> {
    const feed = { categories: this.projection.categories, signal };
    for await (const batch of this.store.subscribe(this.position, feed)) {
      await this.take(batch);
      if (this.failure) return;
    }
  }

  private async take({ events, upTo }: FeedBatch): Promise<void> {
    if (events.length > 0) await this.fold.take(events);
    this.lastEventAt = events.at(-1)?.event.at ?? this.lastEventAt;
    if (upTo > this.seen) this.seen = upTo;
    this.poke();
    if (this.fold.size >= this.options.mostWaiting) await this.writing;
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
    this.writing ??= this.write().finally(() => {
      this.writing = null;
      this.poke();
    });
  }

  private isWorthWriting(): boolean {
    return this.fold.size >= this.options.writeAt || this.waiters.some(({ position }) => position <= this.seen);
  }

  /** Never rejects: a failure ends the pass. */
  private async write(): Promise<void> {
    const upTo = this.seen;
    const at = this.lastEventAt;
    try {
      await this.target.apply(this.fold.leave(), upTo);
    } catch (error) {
      this.failure ??= { error };
      this.end?.abort();
      return;
    }
    this.fold.confirm();
    this.position = upTo;
    this.options.onWritten?.(upTo, at);
    this.waiters = this.waiters.filter((waiter) => waiter.position > upTo || void waiter.resolve());
  }
}
