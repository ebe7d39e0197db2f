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
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly outcome: Outcome;
  readonly firstStartedAt: number;
  readonly endedAt: number;
  readonly chance: number;
  /** How long the receiver asks to wait from `endedAt`; null if it does not ask. */
  readonly retryAfterMs: number | null;
}

const MAX_JITTER_MS = 30_000;
const MAX_OWN_JITTER_MS = 500;
const SWING_MS = 20 * 60_000;
/** By how much a receiver can lengthen a wait. */
const MAX_EXTENSION_MS = 3_600_000;

/** How late an attempt may begin before its delivery is overdue. */
export const OVERDUE_AFTER_MS = 1_000;

export function nextStep(schedule: RetrySchedule, finished: FinishedAttempt): NextStep {
  const verdict = verdictOn(finished.outcome);
  if (verdict === 'success') return { kind: 'succeed' };
  if (verdict === 'reject') return { kind: 'fail', reason: 'permanent_rejection' };
  const { attempt, maxAttempts, endedAt, firstStartedAt, chance } = finished;
  if (attempt >= maxAttempts) return { kind: 'fail', reason: 'attempts_exhausted' };
  const wait = waitBefore(schedule, attempt + 1);
  const hasOffset = schedule.mode === 'offset' && attempt < schedule.waits.length;
  // If the clock was set back since, assume that this attempt ran as scheduled.
  const began = isSetBack(endedAt, firstStartedAt) ? endedAt - waitBefore(schedule, attempt) : firstStartedAt;
  const scheduled = Math.max((hasOffset ? began : endedAt) + wait, endedAt);
  const earliest = endedAt + longerWait(scheduled - endedAt, finished.retryAfterMs);
  return { kind: 'retry', dueAt: earliest + jitterOf(schedule, Math.max(wait, earliest - endedAt), earliest, chance) };
}

/** A receiver makes a wait longer, never shorter. */
function longerWait(wait: number, retryAfterMs: number | null): number {
  return retryAfterMs === null ? wait : Math.min(Math.max(wait, retryAfterMs), wait + MAX_EXTENSION_MS);
}

export function firstDueAt({ waits }: RetrySchedule, at: number): number {
  return at + (waits[0] ?? 0);
}

/** The largest jitter of this wait: a share of it, at most 30 s. */
export function mostJitter({ jitter }: RetrySchedule, wait: number): number {
  return Math.min(MAX_JITTER_MS, wait * jitter);
}

/** Whether the clock was set back after it gave this instant. */
export function isSetBack(now: number, toldBefore: number): boolean {
  return toldBefore - now > SKEW_MS;
}

/**
 * A tier is consumed in order, so a large individual jitter would delay the records behind instead of spreading them: half a second is
 * individual, the rest is shared by attempts that fail at about the same time.
 */
function jitterOf(schedule: RetrySchedule, wait: number, earliest: number, chance: number): number {
  const most = mostJitter(schedule, wait);
  const own = Math.min(MAX_OWN_JITTER_MS, most);
  return Math.floor((most - own) * swingAt(earliest) + own * chance);
}

/** Swings linearly from 1 to 0 and back, slowly enough that due times keep their order when half a minute of it is added. */
function swingAt(time: number): number {
  return Math.abs(((time % SWING_MS) / SWING_MS) * 2 - 1);
}
