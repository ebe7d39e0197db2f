import { isSetBack, mostJitter } from './retry-policy.js';
import type { RetrySchedule } from './retry-schedule.js';

/** A constant wait and its topic, whose records wait about that long. */
export interface Tier {
  readonly name: string;
  readonly waitMs: number;
  /** The largest jitter of the attempts that wait so long. */
  readonly mostJitterMs: number;
  readonly topic: string;
}

/** What a tier knows of a pointer that it is asked to hold. */
export interface HeldPointer {
  readonly dueAt: number;
  /** When the pointer was published; absent in those of earlier versions. */
  readonly publishedAt?: number;
}

/** The topic of what is due: its records are never held. */
export const FIRST_TOPIC = 'webhook-deliveries';

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A pointer that would be sent on more often is left to the sweep. */
const MAX_HOPS = 20;
/** What is due this much before the end of a tier's wait, or a tenth of the wait, may still be held by that tier. */
const MAX_SLACK_MS = 1_000;

/** Formats a wait in the largest unit that divides it, such as `5s`, `30m` or `24h`. */
export function tierName(waitMs: number): string {
  const unit = UNITS.find(([, ms]) => waitMs >= ms && waitMs % ms === 0);
  return unit ? `${waitMs / unit[1]}${unit[0]}` : `${waitMs}ms`;
}

/**
 * The schedule's tiers, shortest first: one for each wait between two attempts, which in `offset` mode is the difference of two
 * entries, and one for a wait before the first attempt.
 */
export function tiersOf(schedule: RetrySchedule): readonly Tier[] {
  const { waits, mode } = schedule;
  const jitters = new Map<number, number>();
  for (const [index, entry] of waits.entries()) {
    const waitMs = mode === 'offset' ? entry - (waits[index - 1] ?? 0) : entry;
    const jitter = index === 0 ? 0 : mostJitter(schedule, entry);
    if (waitMs > 0) jitters.set(waitMs, Math.max(jitters.get(waitMs) ?? 0, jitter));
  }
  return [...jitters].sort(([one], [other]) => one - other).map(([waitMs, mostJitterMs]) => tierOf(waitMs, mostJitterMs));
}

function tierOf(waitMs: number, mostJitterMs: number): Tier {
  const name = tierName(waitMs);
  return { name, waitMs, mostJitterMs, topic: `${FIRST_TOPIC}.retry.${name}` };
}

/**
 * The topic for a pointer to an attempt that is due in so many milliseconds: the longest tier that holds nobody longer, else the
 * shortest. Null where no tiers can hold it that long: it is found by its row once it is overdue.
 */
export function topicFor(schedule: RetrySchedule, leftMs: number): string | null {
  if (leftMs <= 0) return FIRST_TOPIC;
  const tiers = tiersOf(schedule);
  const tier = tiers.findLast((each) => each.waitMs <= leftMs + slackOf(each)) ?? tiers[0];
  return tier && hopsFor(tiers, leftMs) <= MAX_HOPS ? tier.topic : null;
}

/** How many tiers hold a pointer one after the other until it is due. */
function hopsFor(tiers: readonly Tier[], leftMs: number): number {
  let hops = 0;
  let left = leftMs;
  for (const tier of tiers.toReversed()) {
    const times = Math.floor((left + slackOf(tier)) / tier.waitMs);
    hops += times;
    left -= times * tier.waitMs;
    if (left <= 0) return hops;
  }
  return hops + 1;
}

function slackOf({ waitMs }: Tier): number {
  return Math.min(MAX_SLACK_MS, waitMs / 10);
}

/**
 * Until when the topic holds a pointer, and with it everything behind; null for one that is let pass. No tier holds longer than
 * its wait and its largest jitter, counted from publication: what is not due then is let pass at the end of the wait, its claim
 * is refused as early, and that publishes it again for the time that is left.
 */
export function heldUntil(
  schedule: RetrySchedule,
  topic: string,
  { dueAt, publishedAt }: HeldPointer,
  now: number,
): number | null {
  const tier = tiersOf(schedule).find((each) => each.topic === topic);
  if (!tier || dueAt <= now) return null;
  const { waitMs, mostJitterMs } = tier;
  if (publishedAt === undefined) return dueAt <= now + waitMs + mostJitterMs ? dueAt : null;
  if (isSetBack(now, publishedAt)) return null;
  const waitEndsAt = publishedAt + waitMs;
  if (dueAt <= waitEndsAt + mostJitterMs) return dueAt;
  return waitEndsAt > now ? waitEndsAt : null;
}
