import { isSetBack, mostJitter } from './retry-policy.js';
import type { RetrySchedule } from './retry-schedule.js';

export interface Tier {
  readonly name: string;
  readonly waitMs: number;
  readonly mostJitterMs: number;
  readonly topic: string;
}

/** The members of a pointer that decide how long a tier holds it. */
export interface HeldPointer {
  readonly dueAt: number;
  /** Absent in pointers of earlier versions. */
  readonly publishedAt?: number;
}

/** The topic of due deliveries: its records are never held. */
export const FIRST_TOPIC = 'webhook-deliveries';

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A pointer with more hops is left to the sweep. */
const MAX_HOPS = 20;
/** A tier may also hold a pointer that is due this much (at most a tenth of the wait) before its wait ends. */
const MAX_SLACK_MS = 1_000;

/** Formats a wait in the largest unit that divides it, such as `5s`, `30m` or `24h`. */
export function tierName(waitMs: number): string {
  const unit = UNITS.find(([, ms]) => waitMs >= ms && waitMs % ms === 0);
  return unit ? `${waitMs / unit[1]}${unit[0]}` : `${waitMs}ms`;
}

/** The schedule's tiers, shortest first: one per wait between attempts (in `offset` mode the difference), and one before the first. */
export function tiersOf(schedule: RetrySchedule): readonly Tier[] {
  const jitters = new Map<number, number>();
  for (const [index, entry] of schedule.waits.entries()) {
    const waitMs = gapBefore(schedule, index + 1);
    const jitter = index === 0 ? 0 : mostJitter(schedule, entry);
    if (waitMs > 0) jitters.set(waitMs, Math.max(jitters.get(waitMs) ?? 0, jitter));
  }
  return [...jitters].sort(([one], [other]) => one - other).map(([waitMs, mostJitterMs]) => tierOf(waitMs, mostJitterMs));
}

/** How long an attempt waits after the one before it, without jitter; one beyond the schedule as long as the last. */
export function gapBefore({ waits, mode }: RetrySchedule, attempt: number): number {
  const index = Math.min(attempt, waits.length) - 1;
  const wait = waits[index] ?? 0;
  return mode === 'offset' ? wait - (waits[index - 1] ?? 0) : wait;
}

function tierOf(waitMs: number, mostJitterMs: number): Tier {
  const name = tierName(waitMs);
  return { name, waitMs, mostJitterMs, topic: `${FIRST_TOPIC}.retry.${name}` };
}

/** The longest tier that is not longer than `leftMs`, else the shortest. Null if no sequence of tiers suffices: the sweep finds it. */
export function topicFor(schedule: RetrySchedule, leftMs: number): string | null {
  if (leftMs <= 0) return FIRST_TOPIC;
  const tiers = tiersOf(schedule);
  const tier = tiers.findLast((each) => each.waitMs <= leftMs + slackOf(each)) ?? tiers[0];
  return tier && hopsFor(tiers, leftMs) <= MAX_HOPS ? tier.topic : null;
}

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
 * Until when the topic holds a pointer, and so everything behind it; null to let it pass. At most the tier's wait plus its largest jitter,
 * counted from publication: a pointer not due then passes, its claim is refused as early, and it is published again for the time left.
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
