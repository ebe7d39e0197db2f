import { verdictOn, type Outcome } from './outcome.js';
import type { RetrySchedule } from './retry-schedule.js';

export const FAILURE_REASONS = ['attempts_exhausted', 'permanent_rejection'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export type NextStep =
  | { readonly kind: 'succeed' }
  | { readonly kind: 'retry'; readonly dueAt: number }
  | { readonly kind: 'fail'; readonly reason: FailureReason };

export interface FinishedAttempt {
  /** Counted from 1. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Of the first attempt of the delivery. */
  readonly firstStartedAt: number;
  readonly endedAt: number;
  /** Uniform in [0, 1). */
  readonly chance: number;
}

const MOST_JITTER_MS = 30_000;

/** What follows an attempt. */
export function nextStep(schedule: RetrySchedule, finished: FinishedAttempt): NextStep {
  const verdict = verdictOn(finished.outcome);
  if (verdict === 'success') return { kind: 'succeed' };
  if (verdict === 'reject') return { kind: 'fail', reason: 'permanent_rejection' };
  const wait = schedule.waits[finished.attempt];
  if (wait === undefined) return { kind: 'fail', reason: 'attempts_exhausted' };
  const since = schedule.mode === 'gap' ? finished.endedAt : finished.firstStartedAt;
  return { kind: 'retry', dueAt: Math.max(since + wait, finished.endedAt) + jitterOf(schedule, wait, finished.chance) };
}

/** When the first attempt of a new delivery is due. */
export function firstDueAt({ waits }: RetrySchedule, at: number): number {
  return at + (waits[0] ?? 0);
}

/** A share of the wait, by chance; at most 30 s, so that a tier stays in due order to within that. */
function jitterOf({ jitter }: RetrySchedule, wait: number, chance: number): number {
  return Math.floor(Math.min(MOST_JITTER_MS, Math.max(0, wait * jitter * chance)));
}

/** How late a pointer may be before the sweep takes it for lost: a minute, or 5 % of its wait if that is longer. */
export function overdueAfter({ waits }: RetrySchedule, attempt: number): number {
  return Math.max(60_000, (waits[attempt - 1] ?? 0) * 0.05);
}
