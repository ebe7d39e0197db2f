import type { Secrets } from '@ports/secrets.port';

const LEASE_MS = 10_000;
const SEALED_FOR = 'idempotency-answer';
/** `leaseUntil` after an execution without an answer that no client can have received. */
export const RELEASED_UNANSWERED = 0;
/** `leaseUntil` after an execution without a stored answer; `requestId` may have received one. */
export const RELEASED_MAYBE_ANSWERED = 1;

export interface IdempotencyRecord {
  readonly fingerprint: string;
  /** Start of the first execution; a takeover keeps it. */
  readonly startedAt: number;
  readonly leasedAt: number;
  readonly leaseUntil: number;
  /** The request that sent, or may have sent, the answer; before that, the executing request. */
  readonly requestId: string;
  /** The executing process; absent in records of earlier versions. */
  readonly owner?: string;
  readonly answer?: KeptAnswer;
  /** Format of earlier versions: status, headers and body in one sealed text. */
  readonly sealedAnswer?: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface KeptAnswer extends StoredAnswer {
  readonly sealed: boolean;
}

export type ClaimOutcome = 'keep' | 'release' | 'drop';

/** `keep`: replayed for 24 h. `release`: after a 5xx, a retry works on the same ids. `drop`: counts as never executed. */
export function claimOutcome(status: number): ClaimOutcome {
  if (status >= 500) return 'release';
  return status < 400 || status === 404 || status === 409 || status === 412 ? 'keep' : 'drop';
}

export function leased(
  { fingerprint, startedAt, requestId, owner }: Pick<IdempotencyRecord, 'fingerprint' | 'startedAt' | 'requestId' | 'owner'>,
  now: number,
): IdempotencyRecord {
  const claim = { fingerprint, startedAt, leasedAt: now, leaseUntil: now + LEASE_MS, requestId };
  return owner === undefined ? claim : { ...claim, owner };
}

export function recordText(record: IdempotencyRecord, answer?: KeptAnswer): string {
  const { fingerprint, startedAt, leasedAt, leaseUntil, requestId, owner } = record;
  const claim = { fingerprint, startedAt, leasedAt, leaseUntil, requestId, owner };
  if (!answer) return JSON.stringify(claim);
  const { status, headers, sealed, body } = answer;
  return `${JSON.stringify({ ...claim, answer: { status, headers, sealed } })}\n${body}`;
}

/** Parses `recordText`, or an earlier version's record, whose answer becomes `sealedAnswer`. Throws `SyntaxError`. */
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

/** A sealed body can only be opened with the same `recordKey`. */
export function toKeptAnswer(answer: StoredAnswer, sealed: boolean, recordKey: string, secrets: Secrets): KeptAnswer {
  const { status, headers, body } = answer;
  return { status, headers, sealed, body: sealed ? secrets.seal(body, SEALED_FOR + recordKey) : body };
}

/** Reads this version's or an earlier format; null while there is no answer. */
export function answerIn({ answer, sealedAnswer }: IdempotencyRecord, recordKey: string, secrets: Secrets): StoredAnswer | null {
  if (sealedAnswer !== undefined) return JSON.parse(secrets.open(sealedAnswer, SEALED_FOR + recordKey)) as StoredAnswer;
  if (!answer) return null;
  const { status, headers, sealed, body } = answer;
  return { status, headers, body: sealed ? secrets.open(body, SEALED_FOR + recordKey) : body };
}

export function replayMarks(originalRequest: string): Record<string, string> {
  return { 'idempotent-replayed': 'true', 'original-request': originalRequest };
}
