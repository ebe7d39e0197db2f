import type { Secrets } from '@ports/secrets.port';

const LEASE_MS = 10_000;
const SEALED_FOR = 'idempotency-answer';
/** `leaseUntil` of an execution that is over: every request so far was told of a failure. */
export const FAILED = 0;
/** The same where the request whose name the record has may have had its answer. */
export const OVER = 1;

/** What is kept of a request under a key. */
export interface IdempotencyRecord {
  /** Of method, path and body. */
  readonly fingerprint: string;
  /** When the first execution began; kept when another one takes over. */
  readonly startedAt: number;
  readonly leasedAt: number;
  readonly leaseUntil: number;
  /** The request that gave the answer, or may have; as long as none has, the one that executes. */
  readonly requestId: string;
  /** Once there is one to repeat. */
  readonly answer?: KeptAnswer;
  /** The same as earlier versions kept it: whole, in one sealed text. */
  readonly sealedAnswer?: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer as it is kept: sealed when it may hold a secret. */
export interface KeptAnswer extends StoredAnswer {
  readonly sealed: boolean;
}

/** What becomes of a claim once its request was answered. */
export type Fate = 'keep' | 'release' | 'drop';

/**
 * Kept answers are repeated for 24 hours. After our own failures the claim stays open with its start, so that a retry
 * works on the same ids. Anything else counts as never executed.
 */
export function fateOf(status: number): Fate {
  if (status >= 500) return 'release';
  return status < 400 || status === 404 || status === 409 || status === 412 ? 'keep' : 'drop';
}

/** A claim that its holder has from now on, for as long as a lease lasts. */
export function leased(
  { fingerprint, startedAt, requestId }: Pick<IdempotencyRecord, 'fingerprint' | 'startedAt' | 'requestId'>,
  now: number,
): IdempotencyRecord {
  return { fingerprint, startedAt, leasedAt: now, leaseUntil: now + LEASE_MS, requestId };
}

/** The record as text: one line of JSON, and after it the answer's body as it is. */
export function recordText(record: IdempotencyRecord, answer?: KeptAnswer): string {
  const { fingerprint, startedAt, leasedAt, leaseUntil, requestId } = record;
  const claim = { fingerprint, startedAt, leasedAt, leaseUntil, requestId };
  if (!answer) return JSON.stringify(claim);
  const { status, headers, sealed, body } = answer;
  return `${JSON.stringify({ ...claim, answer: { status, headers, sealed } })}\n${body}`;
}

/**
 * What `recordText` or an earlier version wrote, whose answer comes back as `sealedAnswer`. Throws `SyntaxError` on anything
 * else.
 */
export function readRecord(text: string): IdempotencyRecord {
  const end = text.indexOf('\n');
  if (end < 0) return readLine(text);
  const record = JSON.parse(text.slice(0, end)) as IdempotencyRecord & { answer: Omit<KeptAnswer, 'body'> };
  return { ...record, answer: { ...record.answer, body: text.slice(end + 1) } };
}

function readLine(line: string): IdempotencyRecord {
  const { answer, ...claim } = JSON.parse(line) as Omit<IdempotencyRecord, 'answer'> & { answer?: string };
  return answer === undefined ? claim : { ...claim, sealedAnswer: answer };
}

/** An answer as it is kept. One that is sealed can be read under its own record's key only. */
export function toKeptAnswer(answer: StoredAnswer, sealed: boolean, recordKey: string, secrets: Secrets): KeptAnswer {
  const { status, headers, body } = answer;
  return { status, headers, sealed, body: sealed ? secrets.seal(body, SEALED_FOR + recordKey) : body };
}

/** The answer that a record holds, as this version or an earlier one kept it; null while there is none. */
export function answerIn({ answer, sealedAnswer }: IdempotencyRecord, recordKey: string, secrets: Secrets): StoredAnswer | null {
  if (sealedAnswer !== undefined) return JSON.parse(secrets.open(sealedAnswer, SEALED_FOR + recordKey)) as StoredAnswer;
  if (!answer) return null;
  const { status, headers, sealed, body } = answer;
  return { status, headers, body: sealed ? secrets.open(body, SEALED_FOR + recordKey) : body };
}

/** The headers that tell a replay from a first answer (api-contract §11.3). */
export function replayMarks(originalRequest: string): Record<string, string> {
  return { 'idempotent-replayed': 'true', 'original-request': originalRequest };
}
