import type { DomainEvent } from '@domain/kernel/decider';

/** A place in the one order over all events: 20 digits, compared as text. */
export type Position = string;

/** Before the first event. */
export const START: Position = '0'.repeat(20);

/** The number of an event in its stream, counted from 0. */
export type Revision = number;

/** The last revision a writer has seen; `none` when it has seen no event of the stream. */
export type ExpectedRevision = Revision | 'none';

export interface NewEvent<E extends DomainEvent = DomainEvent> {
  /** A UUID. The same batch sent again must carry the same ids: they are what makes an append idempotent. */
  readonly id: string;
  readonly event: E;
  /** What `JSON.stringify` makes of the event, where that is known already. */
  readonly text?: string;
}

/** An event as the log holds it. */
export interface Recorded<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly event: E;
}

export interface Appended {
  /** Of the batch's last event. */
  readonly revision: Revision;
  readonly position: Position;
}

export interface ReadOptions {
  /** Where to begin, inclusive. Forwards from 0, backwards from the last event when absent. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface FeedOptions {
  /** Only events of streams named `<category>-…`; all but `reactor` streams when absent. */
  readonly categories?: readonly string[];
  /** The most events of one batch, 128 when absent: whoever waits for the disk between two wants many. */
  readonly atOnce?: number;
  readonly signal: AbortSignal;
}

export interface FeedBatch {
  readonly events: readonly Recorded[];
  /** Every event of interest at or before this position has been handed out, with this batch at the latest. */
  readonly upTo: Position;
}

/** Somebody else extended the stream first. Nothing was written. */
export class StreamMovedOn extends Error {
  constructor(
    readonly stream: string,
    /** The stream's last revision now, where the store tells it. */
    readonly current?: ExpectedRevision,
  ) {
    super(`stream ${stream} moved on`);
    this.name = 'StreamMovedOn';
  }
}

/** The store did not answer in time: the batch is stored or not. Send the same batch again to learn which. */
export class AppendOutcomeUnknown extends Error {
  constructor(readonly stream: string) {
    super(`append to ${stream}: outcome unknown`);
    this.name = 'AppendOutcomeUnknown';
  }
}

/** The store is out of reach or closing; nothing was written. */
export class StoreUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreUnavailable';
  }
}

/** Whether the store, not what it was asked for, is to blame: the same may be asked again. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn;
}

/** The one truth: streams of facts in one total order. */
export abstract class EventStore {
  /**
   * Appends all events or none; durable before it resolves. Refuses with `StreamMovedOn` unless `expected` is the
   * stream's last revision. The same batch (stream, ids, expected revision) sent again gets its first answer.
   * Settles within 5 s: resolved, `StreamMovedOn`, `AppendOutcomeUnknown` or `StoreUnavailable`.
   */
  abstract append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream; an unknown or retired stream reads as empty. */
  abstract read<E extends DomainEvent>(stream: string, options?: ReadOptions): Promise<readonly Recorded<E>[]>;

  /** The position of the newest event, `START` when there is none. */
  abstract head(): Promise<Position>;

  /** Resolves when the stream has grown past `revision` (a hint: up to 250 ms late, maybe early) or the signal aborts. */
  abstract changed(stream: string, revision: ExpectedRevision, signal?: AbortSignal): Promise<void>;

  /**
   * Everything after `from`, in order, then what is appended, until the signal aborts. Never ends by itself:
   * it goes on or throws. Batches may be empty of events and only move `upTo`.
   */
  abstract subscribe(from: Position, options: FeedOptions): AsyncIterable<FeedBatch>;

  /** Drops a stream for good: it reads as empty and takes no further append (`StreamMovedOn`). Feeds may omit its events. */
  abstract retire(stream: string): Promise<void>;

  /** Names this log; positions of another log mean nothing here. */
  abstract identity(): Promise<string>;
}
