/** What is kept of a request under a key. */
export interface IdempotencyRecord {
  /** Of method, path and body. */
  readonly fingerprint: string;
  /** When the first execution began; kept when another one takes over. */
  readonly startedAt: number;
  readonly leasedAt: number;
  readonly leaseUntil: number;
  /** The request that executes, or gave the answer. */
  readonly requestId: string;
  /** The sealed answer once there is one to repeat. */
  readonly answer?: string;
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

export const readRecord = (text: string): IdempotencyRecord => JSON.parse(text) as IdempotencyRecord;
