import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';

/** An event's place in the total order of the log: 20 digits, compared as text. */
export type Position = string;

/** The position before the first event. */
export const START: Position = '0'.repeat(20);

/** The number of an event in its stream, counted from 0. */
export type Revision = number;

/** The last revision of the stream that the writer has seen; `none` when it has seen no event of it. */
export type ExpectedRevision = Revision | 'none';

export interface NewEvent<E extends DomainEvent = DomainEvent> {
  /** A UUID. A batch that is sent again must carry the same ids: they make the append idempotent. */
  readonly id: string;
  readonly event: E;
  /** `JSON.stringify(event)`, where the caller has it already. An engine may ignore it and stringify the event itself. */
  readonly text?: string;
  /** Stored beside the event. A batch that is stored already keeps what was sent with it at first. */
  readonly metadata?: Envelope;
}

/** An event as the log stores it. */
export interface Recorded<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly event: E;
  /** As it was sent; absent where nothing was, as with events of earlier versions. */
  readonly metadata?: Envelope;
}

export interface Appended {
  /** The revision of the batch's last event. */
  readonly revision: Revision;
  /** The position of the batch's last event. */
  readonly position: Position;
}

export interface ReadOptions {
  /** The first revision to read, inclusive. When absent: 0 forwards, the last event backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface FeedOptions {
  /** Only events of streams named `<category>-…`. When absent: every stream but `reactor-…`. */
  readonly categories?: readonly string[];
  /** The most events of one batch; 128 when absent. A subscriber that writes after each batch asks for more. */
  readonly atOnce?: number;
  readonly signal: AbortSignal;
}

export interface FeedBatch {
  readonly events: readonly Recorded[];
  /** Every event that was asked for and has this position or an earlier one is in this batch or one before it. */
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

/** The store did not answer in time, so the batch may or may not be stored. Sending the same batch again tells which. */
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
    /** Whether the engine logs the cause itself, so that callers need not. */
    readonly isLogged = false,
  ) {
    super(message);
    this.name = 'StoreUnavailable';
  }
}

/** The store found its own data damaged. Nothing mends that but another copy of them. */
export class StoreDamaged extends StoreUnavailable {
  constructor(reason: string) {
    super(`the store is damaged: ${reason}`);
    this.name = 'StoreDamaged';
  }
}

/** Whether the engine logs the cause of this failure itself, as the outage of a server. */
export function isLoggedByEngine(failure: unknown): boolean {
  return (failure instanceof StoreUnavailable || failure instanceof AppendOutcomeUnknown) && failure.isLogged;
}

/** Whether the same may be asked again: the store is out of reach, an append's outcome is unknown, or another writer was faster. */
export function isRetryableStoreError(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn;
}

/**
 * The source of truth: streams of events in one total order. Reads and feeds show every append that was acknowledged
 * before they began, by whichever process: an engine with replicas reads from the leader.
 */
export abstract class EventStore {
  /**
   * Appends all events or none, and resolves once they are durable. Rejects with `StreamMovedOn` unless `expected` is the
   * stream's last revision. A batch (stream, ids, expected revision) that is already stored resolves as it did at first.
   * Settles within 5 s, in which an engine may learn an unknown outcome by sending the batch again itself; the other rejections
   * are `AppendOutcomeUnknown` and `StoreUnavailable`. A batch that the engine never takes, such as one of more than 1 MiB of
   * events and their metadata, is refused with another error.
   */
  abstract append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream. An unknown or retired stream is empty. */
  abstract read<E extends DomainEvent>(stream: string, options?: ReadOptions): Promise<readonly Recorded<E>[]>;

  /**
   * The position of the newest event; `START` when there is none. With categories: of the newest event of streams
   * `<category>-…`, or, while this process does not know which events are of these, any position from there to the newest
   * event of all. It need not know that of events older than itself, nor at once of those just appended.
   */
  abstract head(categories?: readonly string[]): Promise<Position>;

  /**
   * Whether a feed of this log may have reached this position. False for a position of another log, or one that the log had before
   * an older copy took its place.
   */
  abstract holds(position: Position): Promise<boolean>;

  /** Resolves when the stream has grown past `revision` or the signal aborts. A hint: up to 250 ms late, and it may be early. */
  abstract changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void>;

  /**
   * Every event after `from`, in order, then what is appended, until the signal aborts. The iteration never ends by
   * itself: it goes on or throws. A batch may have no events and only move `upTo`.
   */
  abstract subscribe(from: Position, options: FeedOptions): AsyncIterable<FeedBatch>;

  /** Removes a stream for good: it reads as empty and refuses appends with `StreamMovedOn`. Feeds may leave its events out. */
  abstract retire(stream: string): Promise<void>;

  /** The name of this log. A position of a log with another name means nothing here. */
  abstract identity(): Promise<string>;

  /**
   * Calls back whenever the log turns out to be another one, or an older copy of it, than this process has read: whatever is
   * remembered of it may be wrong. Feeds throw then.
   */
  abstract onReplaced(forget: () => void): void;
}
