import type { CollectionSchema } from '@ports/read-models.port';

export interface AppendRequest {
  readonly kind: 'append';
  readonly stream: string;
  /** -1: no event yet. */
  readonly expected: number;
  readonly ids: readonly string[];
  /** The events as JSON. */
  readonly bodies: readonly string[];
}

interface RetireRequest {
  readonly kind: 'retire';
  readonly stream: string;
}

/** id, project, createdAt, sortId, position, deleted (0 or 1), listing, JSON, then the values of the schema's columns. */
export type RowValues = readonly (string | number | null)[];

interface DefineRequest {
  readonly kind: 'define';
  readonly schema: CollectionSchema;
}

export interface ApplyRequest {
  readonly kind: 'apply';
  readonly collection: string;
  readonly generation: number;
  readonly rows: readonly RowValues[];
  readonly checkpoint: string;
}

interface RebuildRequest {
  readonly kind: 'rebuild';
  readonly collection: string;
}

export interface SwitchRequest {
  readonly kind: 'switch' | 'abandon' | 'index';
  readonly collection: string;
  readonly generation: number;
}

/** Drops a little of what no reader sees any more. */
interface SweepRequest {
  readonly kind: 'sweep';
}

/** A new state of a record at the end of the log of records. */
interface PutRecordRequest {
  readonly kind: 'put-record';
  /** Above every row before it. */
  readonly row: number;
  readonly key: string;
  /** Null: removed. */
  readonly value: string | null;
  readonly version: string;
  readonly expiresAt: number;
}

/** Where the newest states of some records lie; what the index knew of them before goes. */
export interface IndexRecordsRequest {
  readonly kind: 'index-records';
  /** By `keyHash`, each with its row. */
  readonly hashes: readonly number[];
  readonly rows: readonly number[];
  /** Those of which the index may know an older state. */
  readonly renewed: readonly (readonly [key: string, row: number])[];
  /** Rows of older states that the index was never told of: they go too. */
  readonly superseded: readonly number[];
  /** With this the index knows every key up to this row; null while more is to come. */
  readonly upTo: number | null;
}

interface PurgeRecordsRequest {
  readonly kind: 'purge-records';
  readonly now: number;
}

interface DeclareRequest {
  readonly kind: 'declare';
  readonly topics: readonly (readonly [name: string, partitions: number])[];
}

export interface PublishRequest {
  readonly kind: 'publish';
  readonly topic: number;
  readonly messages: readonly (readonly [partition: number, offset: number, key: string, value: string])[];
}

interface JoinRequest {
  readonly kind: 'join';
  readonly group: string;
  readonly topic: number;
}

export interface ConsumedRequest {
  readonly kind: 'consumed';
  readonly group: string;
  readonly topic: number;
  readonly partition: number;
  /** The oldest offset that is not consumed. */
  readonly next: number;
}

/** Proves that a commit is possible. */
interface ProbeRequest {
  readonly kind: 'probe';
}

export type EventRequest = AppendRequest | RetireRequest;
export type RowRequest = DefineRequest | ApplyRequest | RebuildRequest | SwitchRequest | SweepRequest;
export type RecordRequest = PutRecordRequest | IndexRecordsRequest | PurgeRecordsRequest;
export type MessageRequest = DeclareRequest | PublishRequest | JoinRequest | ConsumedRequest;

export type WriteRequest = EventRequest | RowRequest | RecordRequest | MessageRequest | ProbeRequest;

/** A request that was not carried out, or perhaps. */
export interface Refusal {
  readonly refused: 'not-stored' | 'unknown';
  readonly reason: string;
  /** Whether the disk is to blame, not the request. */
  readonly disk: boolean;
  /** Whether rows of the request are such that they can never be stored. */
  readonly rows?: boolean;
}

/** The position of the batch's last event, or where the stream is instead (-1: empty, null: retired). */
export type AppendAnswer = number | { readonly movedOn: number | null };

export interface DefineAnswer {
  readonly generation: number;
  readonly checkpoint: string;
  /** How far the rows were whose place these take. */
  readonly replaced: string;
}

export type WriteAnswer = AppendAnswer | DefineAnswer | boolean | null | Refusal;

export function isRefusal(answer: WriteAnswer): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

/** What a writer tells once it is open. */
export interface WriterOpened {
  readonly identity: string;
  /** Grows by one with every opening. */
  readonly opening: number;
  /** Whether tables are left to be swept. */
  readonly leftovers: boolean;
}
