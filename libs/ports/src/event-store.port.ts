import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';

/** An event's place in the total order of the log: 20 digits, compared as text. */
export type Position = string;

/** The position before the first event. */
export const START: Position = '0'.repeat(20);

/** Whether it has the form of a position, in whichever log. */
export function isPosition(text: string): boolean {
  return text.length === START.length && /^\d+$/.test(text);
}

/** The number of an event in its stream, counted from 0. */
export type Revision = number;

/** The last revision of the stream that the writer has read; `none` before its first event. */
export type ExpectedRevision = Revision | 'none';

export interface NewEvent<E extends DomainEvent = DomainEvent> {
  /** A UUID. A batch that is resent must carry the same ids: they make the append idempotent. */
  readonly id: string;
  readonly event: E;
  /** `JSON.stringify(event)`, if the caller has it. An engine may ignore it. */
  readonly text?: string;
  /** Stored with the event. A resent batch keeps the metadata of the first. */
  readonly metadata?: Envelope;
}

export interface Recorded<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly event: E;
  /** Absent on events of earlier versions. */
  readonly metadata?: Envelope;
}

export interface Appended {
  readonly revision: Revision;
  /** Of the batch's last event, as is `revision`. */
  readonly position: Position;
}

export interface ReadOptions {
  /** The first revision to read, inclusive. When absent: 0 forwards, the last event backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface FeedOptions {
  /** Only events of streams named `<category>-…`. When absent: all streams but `reactor-…`. */
  readonly categories?: readonly string[];
  /** The largest batch; 128 when absent. A subscriber that writes after each batch asks for more. */
  readonly atOnce?: number;
  readonly signal: AbortSignal;
}

export interface FeedBatch {
  readonly events: readonly Recorded[];
  /** All requested events up to this position are in this batch or earlier ones. */
  readonly upTo: Position;
}

/** Another writer extended the stream first, or the stream is retired. Nothing was written. */
export class StreamMovedOn extends Error {
  constructor(
    readonly stream: string,
    /** The stream's last revision, where the store reports it. */
    readonly current?: ExpectedRevision,
  ) {
    super(`stream ${stream} moved on`);
    this.name = 'StreamMovedOn';
  }
}

/** The store did not answer in time: the batch may or may not be stored. Resending the same batch tells which. */
export class AppendOutcomeUnknown extends Error {
  constructor(
    readonly stream: string,
    /** As in `StoreUnavailable`. */
    readonly isLogged = false,
  ) {
    super(`append to ${stream}: outcome unknown`);
    this.name = 'AppendOutcomeUnknown';
  }
}

/** The store is out of reach or closing. Nothing was written. */
export class StoreUnavailable extends Error {
  constructor(
    message: string,
    /** Whether the engine logs the cause itself, so callers need not. */
    readonly isLogged = false,
  ) {
    super(message);
    this.name = 'StoreUnavailable';
  }
}

/** The store found its own data damaged. Only a restored copy helps. */
export class StoreDamaged extends StoreUnavailable {
  constructor(reason: string) {
    super(`the store is damaged: ${reason}`);
    this.name = 'StoreDamaged';
  }
}

/** As `isLogged`, for any error. */
export function isLoggedByEngine(failure: unknown): boolean {
  return (failure instanceof StoreUnavailable || failure instanceof AppendOutcomeUnknown) && failure.isLogged;
}

/** Whether a retry may succeed: store unreachable, outcome unknown, or another writer was first. */
export function isRetryableStoreError(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn;
}

/**
 * The source of truth: streams of events in one total order. Reads and feeds show every append acknowledged before they began, by any
 * process: an engine with replicas reads from the leader.
 */
export abstract class EventStore {
  /**
   * Appends all events or none, and resolves once they are durable. Rejects with `StreamMovedOn` unless `expected` is the stream's last
   * revision; a batch (stream, ids, expected revision) that is stored already resolves as it did at first. Settles within 5 s, in which an
   * engine may resend the batch itself; also rejects with `AppendOutcomeUnknown` and `StoreUnavailable`. A batch that can never be stored,
   * such as one beyond 1 MiB with metadata, rejects with another error.
   */
  abstract append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream. An unknown or retired stream is empty. */
  abstract read<E extends DomainEvent>(stream: string, options?: ReadOptions): Promise<readonly Recorded<E>[]>;

  /**
   * The position of the newest event; `START` when there is none. With categories: of the newest event of those or, if this process does
   * not know it, any later position up to the log's end. May omit events older than this process, or just appended.
   */
  abstract head(categories?: readonly string[]): Promise<Position>;

  /** Whether a feed of this log may have reached this position. False for another log, or after an older copy of this one was restored. */
  abstract holds(position: Position): Promise<boolean>;

  /** How many events there are after `from` up to `to`, retired ones included; null where positions do not tell. */
  abstract countBetween(from: Position, to: Position): number | null;

  /** Resolves when the stream has grown past `revision`, or on abort. A hint: up to 250 ms late, possibly early. */
  abstract changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void>;

  /** Every event after `from`, in order, then new ones, until abort. Never ends by itself, but may throw. An empty batch only moves `upTo`. */
  abstract subscribe(from: Position, options: FeedOptions): AsyncIterable<FeedBatch>;

  /** Removes a stream for good: it reads as empty and refuses appends with `StreamMovedOn`. Feeds may omit its events. */
  abstract retire(stream: string): Promise<void>;

  /** The name of this log. Positions of another log mean nothing here. */
  abstract identity(): Promise<string>;

  /** Calls back when the log proves to be another one, or an older copy, so caches of it may be wrong. Feeds throw then. */
  abstract onReplaced(forget: () => void): void;
}
