import { OVERDUE_AFTER_MS } from './retry-policy.js';

/** Only if the stream's time, which never goes back, is ahead of the clock. */
export function decidedAt(now: number, at: number): { readonly decidedAt?: number } {
  return now === at ? {} : { decidedAt: now };
}

export function dueIn(now: number, waitMs: number): { readonly dueAt: number; readonly overdueAt: number } {
  return { dueAt: now + waitMs, overdueAt: now + waitMs + OVERDUE_AFTER_MS };
}
