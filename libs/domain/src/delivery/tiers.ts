import { waitBefore, type RetrySchedule } from './retry-schedule.js';

/** A constant wait and its topic, whose records all wait that long. */
export interface Tier {
  readonly name: string;
  readonly waitMs: number;
  readonly topic: string;
}

/** The topic of first attempts, replays and overdue deliveries. */
export const FIRST_TOPIC = 'webhook-deliveries';

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Formats a wait in the largest unit that divides it, such as `5s`, `30m` or `24h`. */
export function tierName(waitMs: number): string {
  const unit = UNITS.find(([, ms]) => waitMs >= ms && waitMs % ms === 0);
  return unit ? `${waitMs / unit[1]}${unit[0]}` : `${waitMs}ms`;
}

function tierOf(waitMs: number): Tier {
  const name = tierName(waitMs);
  return { name, waitMs, topic: `${FIRST_TOPIC}.retry.${name}` };
}

/** The schedule's tiers, without repetition: one for each wait but the first. */
export function tiersOf({ waits }: RetrySchedule): readonly Tier[] {
  return [...new Set(waits.slice(1))].map(tierOf);
}

/** The topic in which the pointer to this attempt waits. */
export function topicOf(schedule: RetrySchedule, attempt: number): string {
  const hasNoTiers = schedule.waits.length < 2;
  return attempt === 1 || hasNoTiers ? FIRST_TOPIC : tierOf(waitBefore(schedule, attempt)).topic;
}

/** Every topic deliveries travel through. */
export function topicsOf(schedule: RetrySchedule): readonly string[] {
  return [FIRST_TOPIC, ...tiersOf(schedule).map(({ topic }) => topic)];
}
