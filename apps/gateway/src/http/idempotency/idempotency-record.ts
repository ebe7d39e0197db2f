import type { Secrets } from '@ports/secrets.port';

const LEASE_MS = 10_000;
const SEALED_FOR = 'idempotency-answer';
/** `leaseUntil` after an execution that left no answer, when no request with the key can have received one. */
export const RELEASED_UNANSWERED = 0;
/** `leaseUntil` after an execution that left no answer, when the request of `requestId` may have received one. */
export const RELEASED_MAYBE_ANSWERED = 1;

/** The stored state of an idempotency key: its claim, and the answer once there is one. */
export interface IdempotencyRecord {
  /** Hash of method, path and body. */
  readonly fingerprint: string;
  /** Start of the first execution; a takeover keeps it. */
  readonly startedAt: number;
  readonly leasedAt: number;
  readonly leaseUntil: number;
  /** The request that sent the answer or may have sent it; before that, the executing request. */
  readonly requestId: string;
  /** The process that executes it, or did; absent in records of earlier versions. */
  readonly owner?: string;
  /** Present once there is an answer to replay. */
  readonly answer?: KeptAnswer;
  /** The answer in the format of earlier versions: status, headers and body in one sealed text. */
  readonly sealedAnswer?: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer in its stored form; the body is sealed when it may contain a secret. */
export interface KeptAnswer extends StoredAnswer {
  readonly sealed: boolean;
}

/** How a claim ends with its execution. */
export type ClaimOutcome = 'keep' | 'release' | 'drop';

/**
 * `keep`: the answer is replayed for 24 hours. `release`: after a server error the claim stays with its start, so that a
 * retry works on the same ids. `drop`: the request counts as never executed.
 */
export function claimOutcome(status: number): ClaimOutcome {
  if (status >= 500) return 'release';
  return status < 400 || status === 404 || status === 409 || status === 412 ? 'keep' : 'drop';
}

/** A claim whose lease begins now. */
export function leased(
  { fingerprint, startedAt, requestId, owner }: Pick<IdempotencyRecord, 'fingerprint' | 'startedAt' | 'requestId' | 'owner'>,
  now: number,
): IdempotencyRecord {
  const claim = { fingerprint, startedAt, leasedAt: now, leaseUntil: now + LEASE_MS, requestId };
  return owner === undefined ? claim : { ...claim, owner };
}

/** Serializes a record: one line of JSON, followed by the answer's body unchanged. */
export function recordText(record: IdempotencyRecord, answer?: KeptAnswer): string {
  const { fingerprint, startedAt, leasedAt, leaseUntil, requestId, owner } = record;
  const claim = { fingerprint, startedAt, leasedAt, leaseUntil, requestId, owner };
  if (!answer) return JSON.stringify(claim);
  const { status, headers, sealed, body } = answer;
  return `${JSON.stringify({ ...claim, answer: { status, headers, sealed } })}\n${body}`;
}

/**
 * Parses the text of `recordText`, or of an earlier version, whose answer becomes `sealedAnswer`. Throws `SyntaxError` on
 * any other text.
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

/** Converts an answer to its stored form. A sealed body can only be opened with the same `recordKey`. */
export function toKeptAnswer(answer: StoredAnswer, sealed: boolean, recordKey: string, secrets: Secrets): KeptAnswer {
  const { status, headers, body } = answer;
  return { status, headers, sealed, body: sealed ? secrets.seal(body, SEALED_FOR + recordKey) : body };
}

/** Reads the answer of a record, in the format of this version or an earlier one; null while there is none. */
export function answerIn({ answer, sealedAnswer }: IdempotencyRecord, recordKey: string, secrets: Secrets): StoredAnswer | null {
  if (sealedAnswer !== undefined) return JSON.parse(secrets.open(sealedAnswer, SEALED_FOR + recordKey)) as StoredAnswer;
  if (!answer) return null;
  const { status, headers, sealed, body } = answer;
  return { status, headers, body: sealed ? secrets.open(body, SEALED_FOR + recordKey) : body };
}

/** The headers that distinguish a replay from a first answer (api-contract §11.3). */
export function replayMarks(originalRequest: string): Record<string, string> {
  return { 'idempotent-replayed': 'true', 'original-request': originalRequest };
}
