import fc from 'fast-check';
import type { WebhookRequest } from '@ports/webhook-sender.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { dieAfter } from '@testing/dying-process';
import { answered, timedOut } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { RetryMode } from './retry-parameters.js';

const HOUR = 3_600_000;
const OPEN = ['failed', 'retrying', 'pending'] as const;

type Answer = 'taken' | 'refused' | 'missed';
const ANSWERS = { taken: () => answered(200), refused: () => answered(404), missed: () => timedOut(0) } as const;

/** A change of the n-th appointment, and how the receiver answers to its event. */
interface Change {
  readonly appointment: number;
  readonly answer: Answer;
}

const eventIn = ({ body }: WebhookRequest) => (JSON.parse(body) as { id: string }).id;

/** Books each appointment at its first change, and moves it at every other one. */
async function happen(world: DeliveryWorld, changes: readonly Change[]): Promise<readonly string[]> {
  const ids = new Map<number, string>();
  for (const [index, { appointment, answer }] of changes.entries()) {
    world.sender.answer = ANSWERS[answer];
    const startsAt = NINE_ON_MONDAY + (index + 1) * HALF_HOUR;
    const id = ids.get(appointment);
    const move = { type: 'RescheduleAppointment', mode: 'in_place', confirm: false, startsAt, endsAt: null } as const;
    if (id === undefined) ids.set(appointment, (await world.ledger.book({ startsAt })).appointment.id);
    else await world.ledger.change(id, move);
    world.ledger.clock.set(world.ledger.clock.now() + 1);
    await world.quiet();
  }
  return (await world.events()).items.map(({ id }) => id);
}

const anyChanges = fc.array(
  fc.record({ appointment: fc.nat(2), answer: fc.constantFrom<Answer>('taken', 'refused', 'missed') }),
  { minLength: 1, maxLength: 7 },
);

describe('a receiver that keeps the newest event of each appointment', () => {
  /** By appointment: the place of the newest event that it has, after the task and all that waits. */
  async function stateAfter(mode: RetryMode, changes: readonly Change[]) {
    const world = await DeliveryWorld.withTasks();
    try {
      const { id } = (await world.register()).endpoint;
      const eventIds = await happen(world, changes);
      world.sender.answer = ANSWERS.taken;
      const taken = changes.flatMap(({ answer }, index) => (answer === 'taken' ? [index] : []));
      const before = world.sender.sent.length;
      const task = await world.bulk.retry({ endpoint_id: id, mode, status: OPEN });
      await world.elapse(3_000, 250);
      expect((await world.bulk.tasks.load(LEDGER_PROJECT, task.id)).status).toBe('completed');
      const posts = world.sender.sent.length - before;
      await world.elapse(HOUR);
      const got = [...taken, ...world.sender.sent.slice(before).map((request) => eventIds.indexOf(eventIn(request)))];
      const state = new Map<number, number>();
      for (const index of got) {
        const { appointment } = changes[index]!;
        state.set(appointment, Math.max(index, state.get(appointment) ?? -1));
      }
      return { state, posts };
    } finally {
      await world.close();
    }
  }

  it('ends in the same state after all events as after those that still matter, with no more posts', async () => {
    const law = fc.asyncProperty(anyChanges, async (changes) => {
      const [all, latest] = [await stateAfter('all', changes), await stateAfter('latest', changes)];
      const newest = new Map(changes.map(({ appointment }, index) => [appointment, index] as const));
      expect([all.state, latest.state]).toEqual([newest, newest]);
      expect(latest.posts).toBeLessThanOrEqual(all.posts);
    });
    await fc.assert(law, { numRuns: 10 });
  });
});

describe('a task whose process is killed at any of its steps', () => {
  it('makes exactly one fresh delivery of each event and endpoint, and none is missing', async () => {
    const any = fc.record({
      changes: anyChanges,
      kills: fc.array(fc.record({ appends: fc.nat(8), isStored: fc.boolean() }), { minLength: 1, maxLength: 2 }),
      mode: fc.constantFrom<RetryMode>('all', 'latest'),
    });
    const law = fc.asyncProperty(any, async ({ changes, kills, mode }) => {
      let world = await DeliveryWorld.withTasks();
      try {
        const { id } = (await world.register()).endpoint;
        const eventIds = await happen(world, changes);
        world.sender.answer = ANSWERS.taken;
        const task = await world.bulk.retry({ endpoint_id: id, mode, status: OPEN });
        for (const { appends, isStored } of kills) {
          dieAfter(world, appends, isStored);
          await world.elapse(1_500, 250);
          world = await world.killed();
          await world.working({ sweepers: [world.overdue, world.orphaned] });
        }
        await world.elapse(12_000, 500);
        const { status, progress } = await world.bulk.tasks.load(LEDGER_PROJECT, task.id);
        const newest = new Set(new Map(changes.map(({ appointment }, index) => [appointment, index] as const)).values());
        const wanted = changes.map(({ answer }, index) => answer !== 'taken' && (mode === 'all' || newest.has(index)));
        const fresh = await Promise.all(
          eventIds.map(async (eventId) => (await world.deliveries(eventId)).filter(({ trigger }) => trigger === 'bulk_replay')),
        );
        expect(fresh.map(({ length }) => length)).toEqual(wanted.map(Number));
        expect(fresh.flat().every((delivery) => delivery.status === 'succeeded')).toBe(true);
        expect([status, progress?.created]).toEqual(['completed', wanted.filter(Boolean).length]);
      } finally {
        await world.close();
      }
    });
    await fc.assert(law, { numRuns: 15 });
  });
});
