import type { DomainEvent } from '@domain/kernel/decider';
import { RecentEvents } from '@kit/recent-events';
import { KeyedWaiter, onceAborted, Waiter } from '@kit/waiter';
import {
  AppendOutcomeUnknown,
  type Appended,
  EventStore,
  type ExpectedRevision,
  type FeedBatch,
  type FeedOptions,
  type NewEvent,
  type Position,
  type ReadOptions,
  type Recorded,
  START,
  StoreUnavailable,
  StreamMovedOn,
} from '@ports/event-store.port';
import type { Clock } from '@ports/clock.port';
import { streamCategory } from '@ports/stream-category';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { numberOf, positionOf } from './position.js';
import { isAll, partOf } from './read-scheduler.js';
import { EventBatch } from './event-batch.js';
import type { StoredEvents, Stretch } from './stored-events.js';
import { StreamHeads } from './stream-heads.js';
import { type AppendAnswer, type WriteAnswer, isRefusal } from '../writer/requests.js';
import { failureOf, type WriteQueue } from '../writer/write-queue.js';

const READ_AT_ONCE = 128;
/** A feed that lags yields the event loop after this time, its subscriber's work included. */
const FEEDS_FOR_MS = 5;

interface Batch {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly bodies: readonly string[];
  readonly metadata: readonly (string | null)[];
  readonly expected: number;
}

export interface LogNotices {
  readonly appended: [batch: Batch, last: number];
  readonly retired: [stream: string];
  /** An append ended with unknown outcome: any stream may have grown. */
  readonly uncertain: [];
}

export class EmbeddedEventStore extends EventStore {
  private readonly recent: RecentEvents<Recorded>;
  private readonly grown = new Waiter();
  private readonly changes = new KeyedWaiter();
  private readonly heads = new StreamHeads();
  /** The newest event that was read. The file shows committed events before their append is answered. */
  private shown: Position = START;
  private closed = false;

  constructor(
    private readonly queue: WriteQueue,
    private readonly stored: StoredEvents,
    private readonly name: string,
    private readonly clock: Clock,
    head: number,
    private readonly notices = new EventEmitter<LogNotices>(),
  ) {
    super();
    this.recent = new RecentEvents(positionOf(head), ({ stream }) => streamCategory(stream));
    notices.on('appended', (batch, last) => this.remember(batch, last));
    notices.on('retired', (stream) => this.changes.wake(stream));
    notices.on('uncertain', () => this.heads.forget());
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (events.length === 0) throw new RangeError(`append to ${stream}: no events`);
      const bodies = events.map(({ event, text }) => text ?? JSON.stringify(event));
      const metadata = events.map((each) => (each.metadata ? JSON.stringify(each.metadata) : null));
      const batch: Batch = { stream, events, bodies, metadata, expected: expected === 'none' ? -1 : expected };
      const ids = events.map(({ id }) => id);
      this.queue.send(
        { kind: 'append', stream, expected: batch.expected, ids, bodies, metadata },
        (answer) => this.settle(batch, answer, resolve, reject),
        () => reject(new AppendOutcomeUnknown(stream)),
      );
    });
  }

  read<E extends DomainEvent>(stream: string, options: ReadOptions = {}): Promise<readonly Recorded<E>[]> {
    return this.answer(() => {
      if (this.isKnownToEndBefore(stream, options)) return [];
      if (this.stored.reads.isSpent || this.stored.reads.isCrowded) return this.readOn<E>(stream, options, []);
      const first = this.readPart<E>(stream, options, []);
      return isAll(first, first, options) ? first : this.readOn<E>(stream, options, first);
    });
  }

  head(categories?: readonly string[]): Promise<Position> {
    return this.answer(() => {
      if (this.shown > this.recent.upTo) return this.shown;
      return categories ? this.recent.headOf(categories) : this.recent.upTo;
    });
  }

  async holds(position: Position): Promise<boolean> {
    return position <= (await this.head());
  }

  countBetween(from: Position, to: Position): number {
    return Math.max(0, Number(to) - Number(from));
  }

  async changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void> {
    if (this.closed || signal?.aborted) return;
    const last = revision === 'none' ? -1 : revision;
    // An event may be committed before its append is answered: the heads miss it still, and the answer will wake us.
    if (!this.heads.areBefore(stream, last + 1) && this.stored.lastRevision(stream) > last) return;
    await this.changes.register(stream, signal && onceAborted(signal)).signalled;
  }

  async *subscribe(from: Position, { categories, atOnce = READ_AT_ONCE, signal }: FeedOptions): AsyncIterable<FeedBatch> {
    let place = numberOf(from);
    let begunAt = -Infinity;
    const gathered = new EventBatch();
    let told = place;
    // One listener per feed: one per wait would cost more than waking the other feeds now and then.
    const wakeAll = (): void => this.grown.wake();
    signal.addEventListener('abort', wakeAll, { once: true });
    try {
      while (!signal.aborted) {
        if (this.closed) throw new StoreUnavailable('the store is closed');
        const behind = this.newest - place;
        if (behind <= 0 || (behind >= READ_AT_ONCE && this.clock.elapsed() - begunAt >= FEEDS_FOR_MS)) {
          await (behind <= 0 ? this.grown.register().signalled : nextTurn());
          begunAt = this.clock.elapsed();
          continue;
        }
        const end = Math.min(this.newest, told + atOnce);
        const upTo = Math.min(end, place + READ_AT_ONCE);
        gathered.add(this.between(place, upTo, categories));
        place = upTo;
        if (upTo < end && !gathered.isEnough) continue;
        told = upTo;
        yield gathered.take(positionOf(upTo));
      }
    } finally {
      signal.removeEventListener('abort', wakeAll);
    }
  }

  async retire(stream: string): Promise<void> {
    await this.queue.ask({ kind: 'retire', stream });
    this.notices.emit('retired', stream);
  }

  identity(): Promise<string> {
    return Promise.resolve(this.name);
  }

  /** The file is locked while open, so its log stays the same. */
  onReplaced(): void {}

  close(): void {
    this.closed = true;
    this.grown.wake();
    this.changes.cancelAll();
  }

  private settle(batch: Batch, answer: WriteAnswer, resolve: (appended: Appended) => void, reject: (error: Error) => void): void {
    if (isRefusal(answer)) {
      const unknown = answer.refused === 'unknown';
      if (unknown) this.notices.emit('uncertain');
      return reject(unknown ? new AppendOutcomeUnknown(batch.stream) : failureOf(answer));
    }
    const outcome = answer as AppendAnswer;
    if (typeof outcome !== 'number') return reject(movedOn(batch.stream, outcome.movedOn));
    this.notices.emit('appended', batch, outcome);
    resolve({ revision: batch.expected + batch.events.length, position: positionOf(outcome) });
  }

  private get newest(): number {
    return numberOf(this.recent.upTo);
  }

  /** Gives a committed batch to the feeds. A repeated append has an old position and adds nothing. */
  private remember({ stream, events, bodies, metadata, expected }: Batch, last: number): void {
    const first = last - events.length + 1;
    if (first <= this.newest) return;
    this.heads.note(stream, expected + events.length);
    if (first > this.newest + 1) this.recent.skipTo(positionOf(first - 1));
    for (const [index, { id, event, ...sent }] of events.entries()) {
      const position = positionOf(first + index);
      const recorded = { id, stream, revision: expected + 1 + index, position, event };
      const characters = (bodies[index]?.length ?? 0) + (metadata[index]?.length ?? 0);
      this.recent.add(sent.metadata ? { ...recorded, metadata: sent.metadata } : recorded, characters);
    }
    this.grown.wake();
    this.changes.wake(stream);
  }

  /** Reads in parts, so that a long stream does not block others. A stream retired meanwhile reads as empty, not as truncated. */
  private async readOn<E extends DomainEvent>(stream: string, options: ReadOptions, before: readonly Recorded<E>[]) {
    const all = [...before];
    const { limit = Infinity } = options;
    const rank = this.stored.reads.rankOf(Math.min(limit, this.stored.lastRevision(stream) + 1));
    for (;;) {
      const part = await this.stored.reads.next(rank, () => this.whileOpen(() => this.readPart(stream, options, all)));
      if (part.length === 0 && this.stored.lastRevision(stream) === -1) return [];
      all.push(...part);
      if (isAll(part, all, options)) return all;
    }
  }

  private readPart<E extends DomainEvent>(stream: string, options: ReadOptions, before: readonly Recorded<E>[]) {
    const last = before.at(-1);
    const from = last ? { from: last.revision + (options.direction === 'backwards' ? -1 : 1) } : {};
    return this.readNow<E>(stream, { ...options, ...from, limit: partOf(options, before) });
  }

  private readNow<E extends DomainEvent>(stream: string, options: ReadOptions): readonly Recorded<E>[] {
    const { from = 0, direction, limit = Number.MAX_SAFE_INTEGER } = options;
    if (this.isKnownToEndBefore(stream, options)) return [];
    const records = this.stored.read<E>(stream, options);
    const newest = direction === 'backwards' ? records[0] : records.at(-1);
    const isLast = direction === 'backwards' ? newest && options.from === undefined : records.length < limit;
    if (newest) this.shown = later(newest.position, this.shown);
    if (isLast) this.heads.note(stream, newest?.revision ?? from - 1);
    else if (newest) this.heads.saw(stream, newest.revision);
    return records;
  }

  /** Whether the heads show, without reading the file, that there are no events. */
  private isKnownToEndBefore(stream: string, { from = 0, direction }: ReadOptions): boolean {
    return direction !== 'backwards' && this.heads.areBefore(stream, from);
  }

  private between(after: number, upTo: number, categories: readonly string[] | undefined): Stretch {
    if (positionOf(after) < this.recent.floor) return this.stored.between(after, upTo, categories);
    const isWanted = (category: string): boolean => categories?.includes(category) ?? category !== 'reactor';
    const { events } = this.recent.after(positionOf(after), upTo - after);
    return { events: events.filter(({ stream }) => isWanted(streamCategory(stream))), characters: 0 };
  }

  private answer<T>(read: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => resolve(this.whileOpen(read)));
  }

  private whileOpen<T>(read: () => T): T {
    if (this.closed) throw new StoreUnavailable('the store is closed');
    return read();
  }
}

function later(one: Position, other: Position): Position {
  return one > other ? one : other;
}

function movedOn(stream: string, last: number | null): StreamMovedOn {
  if (last === null) return new StreamMovedOn(stream);
  return new StreamMovedOn(stream, last === -1 ? 'none' : last);
}
