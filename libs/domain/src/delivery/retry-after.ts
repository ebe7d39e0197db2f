import { readHttpDate } from '../kernel/http-date.js';
import type { AttemptResult } from './delivery.events.js';

/** 429 Too Many Requests and 503 Service Unavailable. */
const ASKS_TO_WAIT: readonly (number | null)[] = [429, 503];
const SECONDS = /^\d{1,15}$/;

/**
 * How long a receiver asks to wait, from the end of the attempt; negative for a date that is past. A date counts from the answer's own
 * `Date`, else from `endedAt` by our clock. Null if it does not ask, or cannot be read.
 */
export function retryAfterMs({ status, headers }: Pick<AttemptResult, 'status' | 'headers'>, endedAt: number): number | null {
  const asked = ASKS_TO_WAIT.includes(status) ? headers?.['retry-after']?.trim() : undefined;
  if (asked === undefined) return null;
  if (SECONDS.test(asked)) return Number(asked) * 1_000;
  const until = readHttpDate(asked, endedAt);
  return until === null ? null : until - (readHttpDate(headers?.['date']?.trim() ?? '', endedAt) ?? endedAt);
}
