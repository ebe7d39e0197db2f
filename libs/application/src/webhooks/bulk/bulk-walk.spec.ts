import fc from 'fast-check';
import { Clock } from '@ports/clock.port';
import type { RunningTask, TaskStep } from '../../tasks/task-kind.js';
import type { BulkAllowance } from './bulk-allowance.js';
import type { BulkItem, BulkPlan } from './bulk-plan.js';
import type { BulkResult } from './bulk-progress.js';
import { BulkWalk } from './bulk-walk.js';
import { isAfter } from './matched-rows.js';

const PAGE = 5;

/** Time passes whenever somebody looks at it or waits. */
class PassingClock extends Clock {
  private passed = 0;

  now(): number {
    return this.passed;
  }

  elapsed(): number {
    return (this.passed += 300);
  }

  at(_time: number, callback: () => void): () => void {
    return this.after(0, callback);
  }

  after(ms: number, callback: () => void): () => void {
    this.passed += ms;
    queueMicrotask(callback);
    return () => undefined;
  }
}

interface Item extends BulkItem {
  readonly name: string;
  /** Names its fresh delivery. */
  readonly leadsTo: string;
}

/**
 * One item for each letter, which is its endpoint, oldest first. Some are of the same time. Those of an appointment lead to the same
 * fresh delivery.
 */
function itemsOf(letters: string, appointments = Infinity): readonly Item[] {
  return [...letters].map((endpointId, n) => ({
    endpointId,
    name: `${endpointId}${n}`,
    leadsTo: `${endpointId}${appointments === Infinity ? n : n % appointments}`,
    cursor: `${98 + (n >> 1)} id_${100 + n}`,
  }));
}

/** A task whose processes die: each execution begins at the cursor that the one before has stored. */
class Walking {
  /** When each was first come to, in that order. */
  readonly cameTo = new Map<string, number>();
  /** When each fresh delivery was made. */
  readonly fresh = new Map<string, number>();
  /** What the stored progress tells. */
  examined = 0;
  created = 0;
  private cursor: string | null = null;
  private readonly clock = new PassingClock();
  private readonly room = new Map<string, number>();

  constructor(
    private readonly items: readonly Item[],
    private readonly endpointId: string | null = null,
  ) {}

  get names(): readonly string[] {
    return [...this.cameTo.keys()];
  }

  namesOf(endpointId: string): readonly string[] {
    return this.names.filter((name) => name.startsWith(endpointId));
  }

  get isOverdrawn(): boolean {
    return [...this.room.values()].some((room) => room < 0);
  }

  /** So many more may wait at the endpoint. */
  give(endpointId: string, room: number): void {
    this.room.set(endpointId, (this.room.get(endpointId) ?? 0) + room);
  }

  /**
   * Works for so many steps, or to its end, and stores what it did but the last steps. With each step one is attempted at each of the
   * endpoints that work, and time passes, as the runner keeps a pace. Whether it came to its end.
   */
  async work(steps: number, lost = 0, working: readonly string[] = []): Promise<boolean> {
    const seen: TaskStep[] = [];
    let isOver = true;
    for await (const step of this.walk().steps()) {
      seen.push(step);
      this.clock.elapsed();
      for (const endpointId of working) this.give(endpointId, 1);
      if (seen.length < steps) continue;
      isOver = false;
      break;
    }
    const stored = isOver ? seen : seen.slice(0, seen.length - lost);
    this.examined += stored.reduce((sum, { examined }) => sum + examined, 0);
    this.created += stored.reduce((sum, { created }) => sum + created, 0);
    this.cursor = stored.at(-1)?.cursor ?? this.cursor;
    return isOver;
  }

  private walk(): BulkWalk<Item> {
    const { cursor, endpointId } = this;
    const task = { projectId: 'prj_1', dryRun: false, cursor, endpointId, parameters: { per_second: 12 } };
    const plan: BulkPlan<Item> = {
      items: (from) => this.pages(from, this.items),
      work: (item) => Promise.resolve(this.make(item)),
    };
    const itemsAt = (id: string, from: string | null) => this.pages(from, this.items.filter((item) => item.endpointId === id)); // prettier-ignore
    const allowance = { of: (_: string, id: string) => Promise.resolve(this.room.get(id) ?? 0) } as BulkAllowance;
    return new BulkWalk(
      task as unknown as RunningTask,
      endpointId === null ? { ...plan, itemsAt } : plan,
      { allowance, clock: this.clock },
      new AbortController().signal,
    );
  }

  private async *pages(from: string | null, items: readonly Item[]) {
    const behind = items.filter(({ cursor }) => from === null || isAfter(cursor, from));
    for (let first = 0; first < behind.length; first += PAGE) yield await Promise.resolve(behind.slice(first, first + PAGE));
  }

  /** What was made before is found again, and takes no room. */
  private make({ endpointId, name, leadsTo }: Item): BulkResult {
    const at = this.clock.now();
    if (!this.cameTo.has(name)) this.cameTo.set(name, at);
    const madeAt = this.fresh.get(leadsTo);
    if (madeAt === undefined) {
      this.fresh.set(leadsTo, at);
      this.give(endpointId, -1);
    }
    const fresh = { kind: 'created', freshId: leadsTo, endpointId, madeAt: madeAt ?? at, isFoundAgain: madeAt !== undefined };
    return { kind: 'created', fresh: fresh as unknown as BulkResult['fresh'] };
  }
}

describe('a task over a whole project', () => {
  const letters = 'ab'.repeat(30);
  const items = itemsOf(letters);
  const names = items.map(({ name }) => name);
  const at = (endpointId: string) => names.filter((name) => name.startsWith(endpointId));

  it('works oldest first where all endpoints have room', async () => {
    const walking = new Walking(items);
    for (const endpointId of 'ab') walking.give(endpointId, 100);
    expect(await walking.work(Infinity)).toBe(true);
    expect(walking.names).toEqual(names);
  });

  it('goes on with the other endpoints where one has no room, and stays open', async () => {
    const walking = new Walking(items);
    walking.give('a', 5);
    walking.give('b', 100);
    expect(await walking.work(200)).toBe(false);
    expect(walking.namesOf('b')).toEqual(at('b'));
    expect(walking.namesOf('a')).toEqual(at('a').slice(0, walking.namesOf('a').length));
    expect(walking.namesOf('a').length).toBeLessThanOrEqual(5);
  });

  it('makes the rest once there is room again, oldest first, each once, also after its process was killed', async () => {
    const walking = new Walking(items);
    walking.give('a', 5);
    walking.give('b', 100);
    await walking.work(200);
    walking.give('a', 100);
    expect(await walking.work(Infinity)).toBe(true);
    expect(walking.namesOf('a')).toEqual(at('a'));
    expect([walking.cameTo.size, walking.examined]).toEqual([60, 60]);
  });
});

describe('a task about one endpoint', () => {
  it('waits where that has no room', async () => {
    const items = itemsOf('a'.repeat(20));
    const walking = new Walking(items, 'a');
    walking.give('a', 5);
    expect(await walking.work(50)).toBe(false);
    expect(walking.names).toEqual(items.slice(0, 5).map(({ name }) => name));
    walking.give('a', 100);
    expect(await walking.work(Infinity)).toBe(true);
    expect([walking.cameTo.size, walking.examined]).toEqual([20, 20]);
  });
});

describe('tasks whose processes are killed at any of their steps, while endpoints have room now and then', () => {
  it("make each once, an endpoint's oldest first, never beyond its room, and count each once", async () => {
    // prettier-ignore
    const phase = fc.record({
      room: fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }),
      steps: fc.integer({ min: 1, max: 25 }),
      lost: fc.nat(4),
      working: fc.subarray([...'abc']),
    });
    const any = fc.record({
      letters: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 40 }),
      appointments: fc.constantFrom(1, 3, 5, Infinity),
      phases: fc.array(phase, { maxLength: 6 }),
    });
    const law = fc.asyncProperty(any, async ({ letters, appointments, phases }) => {
      const items = itemsOf(letters, appointments);
      const walking = new Walking(items);
      let isOver = false;
      for (const { room, steps, lost, working } of phases) {
        for (const [index, endpointId] of [...'abc'].entries()) walking.give(endpointId, room[index]!);
        isOver ||= await walking.work(steps, lost, working);
      }
      if (!isOver) expect(await walking.work(Infinity, 0, [...'abc'])).toBe(true);
      for (const endpointId of 'abc') {
        const names = items.flatMap((item) => (item.endpointId === endpointId ? [item.name] : []));
        expect(walking.namesOf(endpointId)).toEqual(names);
      }
      expect([walking.examined, walking.isOverdrawn]).toEqual([items.length, false]);
      expect(walking.created).toBe(walking.fresh.size);
    });
    await fc.assert(law, { numRuns: 200 });
  });
});
