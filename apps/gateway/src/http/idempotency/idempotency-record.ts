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

/** An answer as it is kept: sealed when it may hold a secret. */
export interface KeptAnswer extends StoredAnswer {
  readonly sealed: boolean;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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

/** The record as text: one line of JSON, and after it the answer's body as it is. */
export function recordText(record: IdempotencyRecord, answer?: IdempotencyRecord['answer']): string {
  const claim = claimText(record);
  if (!answer) return `{${claim}}`;
  const { status, headers, sealed, body } = answer;
  return `{${claim},"answer":${JSON.stringify({ status, headers, sealed })}}\n${body}`;
}

/** Written twice for each request under a key: member by member it takes a quarter less than through an object. */
function claimText({ fingerprint, startedAt, leasedAt, leaseUntil, requestId }: IdempotencyRecord): string {
  const [hash, id] = [JSON.stringify(fingerprint), JSON.stringify(requestId)];
  return `"fingerprint":${hash},"startedAt":${startedAt},"leasedAt":${leasedAt},"leaseUntil":${leaseUntil},"requestId":${id}`;
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

/** The headers that tell a replay from a first answer (api-contract §11.3). */
export function replayMarks(originalRequest: string): Record<string, string> {
  return { 'idempotent-replayed': 'true', 'original-request': originalRequest };
}
