import { Injectable } from '@nestjs/common';
import { fold, type Decider, type DomainEvent } from '@domain/kernel/decider';
import { EventStore, type ExpectedRevision, type Recorded } from '@ports/event-store.port';
import { LRUCache } from 'lru-cache';
import { weightOf } from './weight.js';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

interface Entry {
  readonly folded: Folded<unknown>;
  /** In characters, at the last weighing. */
  readonly weighed: number;
  /** How many characters it may have grown by since. */
  readonly grown: number;
}

const UNKNOWN: Pick<Folded<unknown>, 'revision'> = { revision: 'none' };
const MAX_STREAMS = 8_000;
/** In characters of text: metadata may be 16 KiB each. */
const MAX_CHARACTERS = 32 * 1_048_576;
/** A state is weighed again once it may have grown by this much, and a heavy one once it may have doubled. */
const WEIGHED_AFTER = 4_096;
const EVENTS_PER_READ = 1_000;

/** The recently used folds. Any of them may be stale or missing at any time. */
@Injectable()
export class StreamCache {
  private readonly entries = new LRUCache<string, Entry>({
    max: MAX_STREAMS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: countedOf,
  });
  private readonly firstReads = new Map<string, Promise<unknown>>();

  constructor(private readonly store: EventStore) {
    store.onReplaced(() => this.entries.clear());
  }

  get<State>(stream: string): Folded<State> | undefined {
    return this.entries.get(stream)?.folded as Folded<State> | undefined;
  }

  /** Keeps the newer fold: a slow reader must not hide newer appends. `grownBy` is in characters; by default it is weighed. */
  put(stream: string, folded: Folded<unknown>, grownBy = Infinity): void {
    const before = this.entries.peek(stream);
    const { revision } = before?.folded ?? UNKNOWN;
    if (revision !== 'none' && (folded.revision === 'none' || folded.revision < revision)) return;
    this.entries.set(stream, entryOf(folded, before, grownBy));
  }

  /** Caches what the caller has read up to the stream's end; `from` is the state before the first record. */
  prime<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    records: readonly Recorded<E>[],
    from: S = decider.initial,
  ): void {
    const events = records.map(({ event }) => event);
    this.put(stream, { state: fold(decider, events, from), revision: records.at(-1)?.revision ?? 'none' });
  }

  forget(stream: string): void {
    this.entries.delete(stream);
  }

  /** May be stale; loaded if missing. Empty streams are cached too, so that their first command need not look again. */
  async loadCached<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    const cached = this.get<S>(stream);
    if (cached) return cached;
    const loaded = await this.load(stream, decider);
    if (loaded.revision === 'none') this.put(stream, loaded);
    return loaded;
  }

  /** The stream's newest state, read on from the cached fold. */
  async load<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    // Otherwise every caller would read and fold a long uncached stream from its beginning.
    while (this.firstReads.has(stream)) await this.firstReads.get(stream);
    const cached = this.get<S>(stream);
    if (cached) return this.readOn(stream, decider, cached);
    const loaded = this.readOn(stream, decider, { state: decider.initial, revision: 'none' });
    const firstRead = loaded.then(done, done).then(() => this.firstReads.delete(stream));
    this.firstReads.set(stream, firstRead);
    return loaded;
  }

  private async readOn<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    before: Folded<S>,
  ): Promise<Folded<S>> {
    let folded = before;
    for (;;) {
      const next = await this.readPart(stream, decider, folded);
      ({ folded } = next);
      if (next.read < EVENTS_PER_READ) return folded;
    }
  }

  /** A separate function: a caller that waits for the next part must not keep the last one in memory. */
  private async readPart<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>, before: Folded<S>) {
    const from = before.revision === 'none' ? 0 : before.revision + 1;
    const records = await this.store.read<E>(stream, { from, limit: EVENTS_PER_READ });
    if (records.length === 0) return { folded: before, read: 0 };
    const events = records.map(({ event }) => event);
    const folded = { state: fold(decider, events, before.state), revision: records.at(-1)?.revision ?? before.revision };
    this.put(stream, folded);
    return { folded, read: records.length };
  }
}

const done = (): void => undefined;

/** One heavy state must not evict all others whenever it changes. */
function countedOf({ weighed, grown }: Entry): number {
  return Math.max(1, Math.min(weighed + grown, MAX_CHARACTERS / 8));
}

/** Weighing walks the whole state, so it is spread over many appends. */
function entryOf(folded: Folded<unknown>, before: Entry | undefined, grownBy: number): Entry {
  const grown = before ? before.grown + grownBy : Infinity;
  if (before && grown <= Math.max(WEIGHED_AFTER, before.weighed)) return { folded, weighed: before.weighed, grown };
  return { folded, weighed: weightOf(folded.state), grown: 0 };
}
