import fc from 'fast-check';
import type { RetrySchedule } from '@domain/delivery/retry-schedule';
import { FakeClock } from '@testing/fake-clock';
import { TierWorld } from '@testing/tier-world';

const S = 1_000;
const HOUR = 3_600_000;
/** The sweep finds a delivery by its row when it is one second late, and runs once a second. */
const SWEPT_MS = 2 * S;

type Step =
  | { readonly kind: 'fail'; readonly waitMs: number; readonly isPublished: boolean }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'set'; readonly by: number }
  | { readonly kind: 'restart'; readonly schedule: RetrySchedule; readonly downMs: number };

const anyWait = fc.oneof(fc.constantFrom(0, S, 2 * S, 5 * S, 30 * S, 60 * S, 600 * S), fc.nat(90 * S));
const anySchedule = fc.record<RetrySchedule>({
  waits: fc.array(anyWait, { minLength: 1, maxLength: 5 }),
  mode: fc.constantFrom('gap', 'offset'),
  jitter: fc.constantFrom(0, 0.1, 1),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('fail'), waitMs: anyWait, isPublished: fc.constantFrom(true, true, false) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.nat(20 * S) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set'),
      by: fc.oneof(fc.integer({ min: -60 * S, max: 60 * S }), fc.constantFrom(-HOUR, HOUR)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), schedule: anySchedule, downMs: fc.nat(20 * S) }) },
);

interface Late {
  readonly lateMs: number;
  readonly atMostMs: number;
  readonly timesRescheduled: number;
}

/** Changes of the clock and the process, by `Clock.elapsed()`. */
class Course {
  /** From when on the clock was how far ahead of the elapsed time. */
  private readonly settings: { readonly from: number; readonly ahead: number }[] = [];
  startedAt = 0;
  timesSetBack = 0;

  constructor(private readonly clock: FakeClock) {
    this.note();
  }

  set(by: number): void {
    this.clock.set(this.clock.now() + by);
    if (by < 0) this.timesSetBack += 1;
    this.note();
  }

  /** When the clock reached this time; the last time, if it was set back. */
  reached(time: number, from: number): number {
    let reachedAt: number | null = null;
    let last = from;
    for (const [index, { from: begun, ahead }] of this.settings.entries()) {
      const end = this.settings[index + 1]?.from ?? Infinity;
      if (end <= from && index + 1 < this.settings.length) continue;
      const begins = Math.max(begun, from);
      if (begins + ahead < time) reachedAt = null;
      const at = Math.max(begins, time - ahead);
      if (at >= end) continue;
      last = reachedAt ??= at;
    }
    return last;
  }

  private note(): void {
    this.settings.push({ from: this.clock.elapsed(), ahead: this.clock.now() - this.clock.elapsed() });
  }
}

/** How late each retry was, after its due time or a later start of the process. */
async function lateness(schedule: RetrySchedule, steps: readonly Step[]): Promise<readonly Late[]> {
  const clock = new FakeClock();
  const [world, course] = [new TierWorld(clock), new Course(clock)];
  const late: Late[] = [];
  world.onLeft = (retry) => {
    const { at, dueAt } = retry.left!;
    const due = Math.max(course.reached(dueAt, retry.decidedAt), course.startedAt);
    late.push({ lateMs: at - due, atMostMs: SWEPT_MS + world.mostHeldMs(retry), timesRescheduled: retry.timesRescheduled });
  };
  await world.start(schedule);
  for (const step of steps) {
    if (step.kind === 'fail') await world.fail(step.waitMs, step.isPublished);
    if (step.kind === 'pass') await clock.advance(step.ms);
    if (step.kind === 'set') course.set(step.by);
    if (step.kind !== 'restart') continue;
    world.kill();
    await clock.advance(step.downMs);
    course.startedAt = clock.elapsed();
    await world.start(step.schedule);
  }
  await clock.advance(2_000 * S);
  world.kill();
  expect(late).toHaveLength(world.retries.length);
  expect(late.filter(({ timesRescheduled }) => timesRescheduled > course.timesSetBack)).toEqual([]);
  return late;
}

describe('a retry', () => {
  it('law: leaves within the wait and the largest jitter of its tier and two seconds, whatever due times, restarts, schedules and clocks do', () =>
    fc.assert(
      fc.asyncProperty(anySchedule, fc.array(anyStep, { maxLength: 25 }), async (schedule, steps) => {
        const late = await lateness(schedule, steps);
        expect(late.filter(({ lateMs, atMostMs }) => lateMs < 0 || lateMs > atMostMs)).toEqual([]);
      }),
      { numRuns: 80 },
    ));
});
