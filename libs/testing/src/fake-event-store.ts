import type { DomainEvent } from '@domain/kernel/decider';
import {
  EventStore,
  START,
  StreamMovedOn,
  type Appended,
  type ExpectedRevision,
  type FeedBatch,
  type NewEvent,
  type Position,
  type ReadOptions,
  type Recorded,
} from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';

/** An in-memory log without a feed, for specs that need no disk. Instances over the same log stand for processes. */
export class FakeEventStore extends EventStore {
  /** The streams read so far, in order; a cache hit adds none. */
  readonly reads: string[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly memories: (() => void)[] = [];

  constructor(readonly log: Recorded[] = []) {
    super();
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const past = this.of(stream);
    for (const { event, text } of events) {
      if (text !== undefined && text !== JSON.stringify(event)) throw new Error(`append to ${stream}: text of another event`);
    }
    const first = expected === 'none' ? 0 : expected + 1;
    const again = past.slice(first, first + events.length);
    if (again.length === events.length && again.every(({ id }, index) => id === events[index]?.id)) return answerOf(again);
    if (past.length !== first) return Promise.reject(new StreamMovedOn(stream, past.length === 0 ? 'none' : past.length - 1));
    const recorded = events.map(({ id, event, metadata }, index) => ({
      id,
      stream,
      revision: first + index,
      position: positionOf(this.log.length + 1 + index),
      event: JSON.parse(JSON.stringify(event)) as DomainEvent,
      ...(metadata && { metadata: structuredClone(metadata) }),
    }));
    this.log.push(...recorded);
    this.waiting.forEach((wake) => wake());
    return answerOf(recorded);
  }

  read<E extends DomainEvent>(stream: string, { from, direction, limit }: ReadOptions = {}): Promise<readonly Recorded<E>[]> {
    this.reads.push(stream);
    const past = this.of(stream);
    const wanted =
      direction === 'backwards' ? past.slice(0, from === undefined ? undefined : from + 1).toReversed() : past.slice(from ?? 0);
    return Promise.resolve(wanted.slice(0, limit) as unknown as Recorded<E>[]);
  }

  head(categories?: readonly string[]): Promise<Position> {
    const newest = this.log.findLast(({ stream }) => categories?.includes(streamCategory(stream)) ?? true);
    return Promise.resolve(newest?.position ?? START);
  }

  async holds(position: Position): Promise<boolean> {
    return position <= (await this.head());
  }

  countBetween(from: Position, to: Position): number {
    return Math.max(0, Number(to) - Number(from));
  }

  async changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && this.of(stream).length - 1 <= (revision === 'none' ? -1 : revision)) {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  subscribe(): AsyncIterable<FeedBatch> {
    throw new Error('the fake store has no feed');
  }

  retire(): Promise<void> {
    return Promise.reject(new Error('the fake store retires nothing'));
  }

  identity(): Promise<string> {
    return Promise.resolve('fake');
  }

  onReplaced(forget: () => void): void {
    this.memories.push(forget);
  }

  /** The log becomes another one. */
  replace(log: readonly Recorded[]): void {
    this.log.splice(0, Infinity, ...log);
    for (const forget of this.memories) forget();
  }

  of(stream: string): Recorded[] {
    return this.log.filter((record) => record.stream === stream);
  }
}

function positionOf(count: number): Position {
  return String(count).padStart(20, '0');
}

function answerOf(recorded: readonly Recorded[]): Promise<Appended> {
  const last = recorded.at(-1);
  if (!last) throw new RangeError('no events');
  return Promise.resolve({ revision: last.revision, position: last.position });
}
