import { SKEW_MS } from '../kernel/skew.js';
import { verdictOn, type Outcome } from './outcome.js';
import { waitBefore, type RetrySchedule } from './retry-schedule.js';

export const FAILURE_REASONS = ['attempts_exhausted', 'permanent_rejection'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export type NextStep =
  | { readonly kind: 'succeed' }
  | { readonly kind: 'retry'; readonly dueAt: number }
  | { readonly kind: 'fail'; readonly reason: FailureReason };

export interface FinishedAttempt {
  /** Attempts are counted from 1. */
  readonly attempt: number;
  /** The number of attempts for which the delivery was scheduled. */
  readonly maxAttempts: number;
  readonly outcome: Outcome;
  /** When the delivery's first attempt started. */
  readonly firstStartedAt: number;
  readonly endedAt: number;
  /** A uniform random number in [0, 1). */
  readonly chance: number;
}

const MAX_JITTER_MS = 30_000;
const MAX_OWN_JITTER_MS = 500;
const SWING_MS = 20 * 60_000;

/** How late an attempt may begin before its delivery is overdue, in milliseconds. */
export const OVERDUE_AFTER_MS = 1_000;

/** Decides whether an attempt succeeded, is retried, and when, or failed. */
export function nextStep(schedule: RetrySchedule, finished: FinishedAttempt): NextStep {
  const verdict = verdictOn(finished.outcome);
  if (verdict === 'success') return { kind: 'succeed' };
  if (verdict === 'reject') return { kind: 'fail', reason: 'permanent_rejection' };
  const { attempt, maxAttempts, endedAt, firstStartedAt, chance } = finished;
  if (attempt >= maxAttempts) return { kind: 'fail', reason: 'attempts_exhausted' };
  const wait = waitBefore(schedule, attempt + 1);
  const hasOffset = schedule.mode === 'offset' && attempt < schedule.waits.length;
  // By a clock that was set back since, this attempt took place as scheduled.
  const began = isSetBack(endedAt, firstStartedAt) ? endedAt - waitBefore(schedule, attempt) : firstStartedAt;
  const earliest = Math.max((hasOffset ? began : endedAt) + wait, endedAt);
  return { kind: 'retry', dueAt: earliest + jitterOf(schedule, wait, earliest, chance) };
}

/** When the first attempt of a new delivery is due. */
export function firstDueAt({ waits }: RetrySchedule, at: number): number {
  return at + (waits[0] ?? 0);
}

/** The largest jitter that is added to this wait: a share of it, at most 30 s. */
export function mostJitter({ jitter }: RetrySchedule, wait: number): number {
  return Math.min(MAX_JITTER_MS, wait * jitter);
}

/** Whether the clock contradicts an instant that it told before: it was set back since. */
export function isSetBack(now: number, toldBefore: number): boolean {
  return toldBefore - now > SKEW_MS;
}

/**
 * A tier is consumed in order, so a large individual jitter would delay the records behind instead of spreading them: half a
 * second is individual, the rest is shared by all attempts that fail at about the same time.
 */
function jitterOf(schedule: RetrySchedule, wait: number, earliest: number, chance: number): number {
  const most = mostJitter(schedule, wait);
  const own = Math.min(MAX_OWN_JITTER_MS, most);
  return Math.floor((most - own) * swingAt(earliest) + own * chance);
}

/**
 * Swings linearly from 1 to 0 and back, slowly enough that due times keep their order when half a minute of it is
 * added.
 */
function swingAt(time: number): number {
  return Math.abs(((time % SWING_MS) / SWING_MS) * 2 - 1);
}
