import { BACKWARDS, END, FORWARDS, NO_STREAM, START, WrongExpectedVersionError } from '@eventstore/db-client';
import type { DomainEvent } from '@domain/kernel/decider';
import { onceAborted } from '@kit/waiter';
import type { Clock } from '@ports/clock.port';
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
  START as LOG_START,
  StoreUnavailable,
  StreamMovedOn,
} from '@ports/event-store.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { SharedReader } from '../shared-reader.js';
import { shortName } from '../short-name.js';
import type { TroubleLogger } from '../trouble-logger.js';
import { answeredWithin } from './answered-within.js';
import { AppendTooLarge, appendBatch } from './append-batch.js';
import { categoryHead } from './category-head.js';
import { CheckpointStreams } from './checkpoint-streams.js';
import type { Connection } from './connection.js';
import { EventFeed } from './event-feed.js';
import { failureMeaning } from './failure-meaning.js';
import type { LogName } from './log-name.js';
import type { LogEnd, LogPages } from './log-pages.js';
import type { LogTail } from './log-tail.js';
import { GIVEN_UP_AFTER_MS, persist } from './persist.js';
import { positionOf } from './position.js';
import { storedEvent } from './stored-event.js';

const { deadlineMs } = ENGINE_CONSTANTS.eventStoreDb;
/** The driver sends a message per event: without time for each, a batch of thousands would be resent in vain for ever. */
const EVENT_SENT_WITHIN_MS = 1;

export interface EventStoreDbParts {
  readonly log: LogName;
  readonly connection: Connection;
  readonly pages: LogPages;
  readonly tail: LogTail;
  readonly clock: Clock;
  readonly prefix: string;
  readonly troubles: Pick<TroubleLogger, 'tell'>;
}

export class EventstoredbEventStore extends EventStore {
  private readonly checkpoints: CheckpointStreams;
  private readonly ends: SharedReader<LogEnd>;
  private log: LogName;
  private readonly memories: (() => void)[] = [];
  private closed = false;

  constructor(private readonly parts: EventStoreDbParts) {
    super();
    this.log = parts.log;
    this.checkpoints = new CheckpointStreams(parts.connection, parts.prefix);
    this.ends = new SharedReader(() => parts.pages.last(this.log.beginning));
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const batch = appendBatch(stream, events);
    this.refuseWhenClosed();
    const expectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected);
    let isUnknown = false;
    const attempt = (withinMs: number) =>
      this.parts.connection
        .call(withinMs, (client, options) => client.appendToStream(this.nameOf(stream), batch, { ...options, expectedRevision }))
        .catch((error: unknown) => {
          isUnknown ||= failureMeaning(error) === 'unknown';
          throw error;
        });
    const attemptMs = deadlineMs + events.length * EVENT_SENT_WITHIN_MS;
    const { nextExpectedRevision, position } = await persist(this.parts.clock, attempt, attemptMs).catch((error: unknown) => {
      throw this.refusalOf(error, stream, isUnknown);
    });
    void this.checkpoints.bound(stream);
    return { revision: Number(nextExpectedRevision), position: positionOf(position) };
  }

  async read<E extends DomainEvent>(stream: string, options: ReadOptions = {}): Promise<readonly Recorded<E>[]> {
    const { from, limit = Number.MAX_SAFE_INTEGER } = options;
    const isBackwards = options.direction === 'backwards';
    if (limit === 0) return [];
    const wanted = {
      direction: isBackwards ? BACKWARDS : FORWARDS,
      fromRevision: from === undefined ? (isBackwards ? END : START) : BigInt(from),
      maxCount: limit,
    } as const;
    const resolved = await this.ask((withinMs) =>
      this.parts.connection.read(withinMs, (client, calling) =>
        client.readStream(this.nameOf(stream), { ...calling, ...wanted }),
      ),
    );
    return (resolved ?? []).flatMap(({ event }) => (event ? [storedEvent<E>(event, this.parts.prefix)] : []));
  }

  async head(categories?: readonly string[]): Promise<Position> {
    this.refuseWhenClosed();
    // The shared reader may first wait for a reading that began before this call; the deadline covers both.
    const end = await answeredWithin(this.parts.clock, GIVEN_UP_AFTER_MS, this.ends.read()).catch((error: unknown) => {
      throw this.unavailable(error);
    });
    return categories ? categoryHead(categories, end, this.parts.tail.recent) : (end.events[0]?.position ?? LOG_START);
  }

  async holds(position: Position): Promise<boolean> {
    this.refuseWhenClosed();
    return this.parts.pages.holds(position).catch((error: unknown) => {
      throw this.unavailable(error);
    });
  }

  /** Positions are places in the server's files. */
  countBetween(): null {
    return null;
  }

  async changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void> {
    if (this.closed || signal?.aborted) return;
    const change = this.parts.tail.changes.register(stream, signal && onceAborted(signal));
    try {
      const [newest] = await Promise.race([
        this.read(stream, { direction: 'backwards', limit: 1 }),
        change.signalled.then(() => []),
      ]);
      if (newest && newest.revision > (revision === 'none' ? -1 : revision)) return;
      await change.signalled;
    } finally {
      change.cancel();
    }
  }

  async *subscribe(from: Position, options: FeedOptions): AsyncIterable<FeedBatch> {
    const { pages, tail, clock } = this.parts;
    const { beginning } = this.log;
    if (options.signal.aborted) return;
    this.refuseWhenClosed();
    // Before its beginning the log has only events of other applications, possibly many.
    const after = from > beginning ? from : beginning;
    for await (const batch of new EventFeed(pages, tail, clock, after, options).batches()) {
      yield batch;
      this.refuseWhenClosed();
    }
  }

  async retire(stream: string): Promise<void> {
    await this.ask((withinMs) =>
      this.parts.connection.call(withinMs, (client, options) => client.tombstoneStream(this.nameOf(stream), options)),
    );
  }

  identity(): Promise<string> {
    return Promise.resolve(this.log.name);
  }

  onReplaced(forget: () => void): void {
    this.memories.push(forget);
  }

  /** Call when the log proves to be another one than was read so far. */
  replaced(log: LogName): void {
    this.log = log;
    for (const forget of this.memories) forget();
  }

  close(): void {
    this.closed = true;
  }

  /** Undefined for a stream that does not exist or was deleted. Rejects with `StoreUnavailable`. */
  private async ask<T>(attempt: (withinMs: number) => Promise<T>): Promise<T | undefined> {
    this.refuseWhenClosed();
    return persist(this.parts.clock, attempt).catch((error: unknown) => {
      const meaning = failureMeaning(error);
      if (meaning === 'absent' || meaning === 'moved on') return undefined;
      throw this.unavailable(error);
    });
  }

  private refusalOf(error: unknown, stream: string, isUnknown: boolean): unknown {
    const meaning = failureMeaning(error);
    if (meaning === 'moved on') return movedOn(error, stream);
    if (meaning === 'too large') return new AppendTooLarge(stream);
    const failure = this.unavailable(error);
    return isUnknown ? new AppendOutcomeUnknown(stream, true) : failure;
  }

  /** A failure of the store is logged by the engine; anything else is a bug and passes unchanged. */
  private unavailable(error: unknown): unknown {
    const meaning = failureMeaning(error);
    if (meaning === 'fault') return error;
    const why = `${meaning === 'refused' ? 'refuses a call' : 'does not answer a call'}: ${shortName(error)}`;
    this.parts.troubles.tell(`EventStoreDB ${why}`);
    return new StoreUnavailable(`EventStoreDB ${why}`, true);
  }

  private nameOf(stream: string): string {
    return this.parts.prefix + stream;
  }

  private refuseWhenClosed(): void {
    if (this.closed) throw new StoreUnavailable('the store is closed');
  }
}

function movedOn(error: unknown, stream: string): StreamMovedOn {
  if (!(error instanceof WrongExpectedVersionError)) return new StreamMovedOn(stream);
  const { actualVersion } = error;
  return new StreamMovedOn(stream, typeof actualVersion === 'bigint' ? Number(actualVersion) : 'none');
}
