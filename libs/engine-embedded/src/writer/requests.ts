import type { CollectionSchema, SchemaStanding } from '@ports/read-models.port';

export interface AppendRequest {
  readonly kind: 'append';
  readonly stream: string;
  /** The stream's last revision; -1 if it is empty. */
  readonly expected: number;
  readonly ids: readonly string[];
  readonly bodies: readonly string[];
  /** As JSON, per event; null without metadata. */
  readonly metadata: readonly (string | null)[];
}

interface RetireRequest {
  readonly kind: 'retire';
  readonly stream: string;
}

/** id, project, createdAt, sortId, position, deleted (0 or 1), listing, JSON, then the schema's columns. */
export type RowValues = readonly (string | number | null)[];

export interface DefineRequest {
  readonly kind: 'define';
  readonly schema: CollectionSchema;
  /** The log's newest position: new rows count as restored from there. */
  readonly head: string;
  readonly isAhead?: boolean;
}

interface CompareRequest {
  readonly kind: 'compare';
  readonly schema: CollectionSchema;
}

export interface ApplyRequest {
  readonly kind: 'apply';
  readonly collection: string;
  readonly generation: number;
  readonly rows: readonly RowValues[];
  readonly shared: readonly RowValues[];
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

interface SweepRequest {
  readonly kind: 'sweep';
}

interface PutRecordRequest {
  readonly kind: 'put-record';
  readonly key: string;
  readonly value: string;
  readonly version: string;
  readonly expiresAt: number;
}

interface RemoveRecordRequest {
  readonly kind: 'remove-record';
  readonly key: string;
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
  /** The lowest offset not consumed. */
  readonly next: number;
}

/** Writes nothing; its answer proves that a commit is possible. */
interface ProbeRequest {
  readonly kind: 'probe';
}

export type EventRequest = AppendRequest | RetireRequest;
export type RowRequest = DefineRequest | CompareRequest | ApplyRequest | RebuildRequest | SwitchRequest | SweepRequest;
export type RecordRequest = PutRecordRequest | RemoveRecordRequest | PurgeRecordsRequest;
export type MessageRequest = DeclareRequest | PublishRequest | JoinRequest | ConsumedRequest;

export type WriteRequest = EventRequest | RowRequest | RecordRequest | MessageRequest | ProbeRequest;

/** A request that was not carried out, or whose outcome is unknown. */
export interface Refusal {
  readonly refused: 'not-stored' | 'unknown';
  readonly reason: string;
  /** Whether the disk is at fault, not the request. */
  readonly disk: boolean;
  /** The file is damaged: every later request is refused too. */
  readonly damaged?: boolean;
  /** The request has rows that can never be stored. */
  readonly rows?: boolean;
}

/** The position of the batch's last event, or on a conflict the stream's last revision (-1: empty, null: retired). */
export type AppendAnswer = number | { readonly movedOn: number | null };

export interface DefineAnswer {
  readonly generation: number;
  readonly checkpoint: string;
  readonly replaced: string;
}

export type SchemaAnswer =
  { readonly standing: 'same'; readonly rows: DefineAnswer } | { readonly standing: Exclude<SchemaStanding, 'same'> };

export type WriteAnswer = AppendAnswer | DefineAnswer | SchemaAnswer | boolean | null | Refusal;

export function isRefusal(answer: WriteAnswer): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

export interface WriterOpened {
  readonly identity: string;
  /** How often the file was opened, including this time. */
  readonly opening: number;
  readonly leftovers: boolean;
}
