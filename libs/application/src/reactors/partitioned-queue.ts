import { FairQueue } from '@kit/fair-queue';
import { Waiter } from '@kit/waiter';
import type { EventStore, FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { Reactor } from '../runtime/reactor.js';

const AT_ONCE = 16;
const BATCH = 128;
/** Events held in memory as read; later ones are read again when their turn comes. */
const MAX_HELD = 1_024;
/** Reading of the log pauses while more events wait. */
const MAX_WAITING = 65_536;

const ONLY_PARTITION = '';

interface Entry {
  readonly number: number;
  readonly before: Position;
  readonly record: Pick<Recorded, 'stream' | 'revision'> | Recorded;
}

export interface PartitionedWork {
  /** Handles events of one partition, in order. A rejection ends the work on all partitions. */
  readonly handle: (events: readonly Recorded[]) => Promise<void>;
  /** Called after every batch of so many events: everything up to `upTo` is done. */
  readonly onDone: (upTo: Position, events: number) => void;
  readonly onFailure: () => void;
  readonly signal: AbortSignal;
}

/** Partitions take turns, so that a busy one does not delay the others. Without partitions there is one batch at a time. */
export class PartitionedQueue {
  private readonly queue = new FairQueue<Entry>();
  private readonly working = new Map<string, Promise<void>>();
  private readonly undone = new Map<number, Entry>();
  private readonly progressed = new Waiter();
  private numbered = 0;
  private readonly batch: number;
  private readonly mostWaiting: number;
  private held = 0;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly reactor: Reactor,
    private readonly store: Pick<EventStore, 'read'>,
    private readUpTo: Position,
    private readonly work: PartitionedWork,
  ) {
    const isPartitioned = reactor.partitionKey !== undefined;
    this.batch = isPartitioned ? BATCH : MAX_HELD;
    this.mostWaiting = isPartitioned ? MAX_WAITING : 0;
  }

  get waiting(): number {
    return this.undone.size;
  }

  get doneUpTo(): Position {
    return this.undone.values().next().value?.before ?? this.readUpTo;
  }

  /** Resolves once there is room for more, to how many of the events belong to no partition. */
  async take({ events, upTo }: FeedBatch): Promise<number> {
    const before = this.undone.size;
    for (const record of events) this.enqueue(record);
    this.readUpTo = upTo;
    const passed = events.length - (this.undone.size - before);
    this.next();
    await this.progressed.until(() => this.undone.size <= this.mostWaiting || this.working.size === 0);
    return passed;
  }

  /** Call after the abort: resolves when all work has ended. Rejects with the first failure. */
  async close(): Promise<void> {
    await Promise.all(this.working.values());
    if (this.failure) throw this.failure.error;
  }

  private enqueue(record: Recorded): void {
    const partition = this.reactor.partitionKey ? this.reactor.partitionKey(record) : ONLY_PARTITION;
    if (partition !== null) this.add(partition, record);
    this.readUpTo = record.position;
  }

  private add(partition: string, record: Recorded): void {
    const isHeld = this.held < MAX_HELD;
    if (isHeld) this.held++;
    const { stream, revision } = record;
    const number = (this.numbered += 1);
    const entry = { number, before: this.readUpTo, record: isHeld ? record : { stream, revision } };
    this.undone.set(number, entry);
    this.queue.push(partition, entry);
  }

  private next(): void {
    while (this.working.size < AT_ONCE && !this.failure && !this.work.signal.aborted) {
      const partitions = this.queue.owners + this.working.size;
      const turn = this.queue.next(Math.ceil(this.batch / Math.min(AT_ONCE, partitions)));
      if (!turn) return;
      this.queue.pause(turn.owner);
      this.working.set(turn.owner, this.workOn(turn.owner, turn.items));
    }
  }

  private async workOn(partition: string, entries: readonly Entry[]): Promise<void> {
    try {
      await this.work.handle(await this.recordsOf(entries));
      for (const { number } of entries) this.undone.delete(number);
      this.work.onDone(this.doneUpTo, entries.length);
    } catch (error) {
      this.failure ??= { error };
      this.work.onFailure();
    }
    this.working.delete(partition);
    this.queue.resume(partition);
    this.next();
    this.progressed.wake();
  }

  private async recordsOf(entries: readonly Entry[]): Promise<readonly Recorded[]> {
    const records = await Promise.all(entries.map(({ record }) => this.whole(record)));
    for (const { record } of entries) if ('event' in record) this.held--;
    return records.filter((record) => record !== undefined);
  }

  /** Undefined when its stream was dropped meanwhile. */
  private async whole(record: Entry['record']): Promise<Recorded | undefined> {
    if ('event' in record) return record;
    const [reread] = await this.store.read(record.stream, { from: record.revision, limit: 1 });
    return reread;
  }
}
