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
}

/** One item for each letter, which is its endpoint, oldest first. Some are of the same time. */
function itemsOf(letters: string): readonly Item[] {
  return [...letters].map((endpointId, n) => ({
    endpointId,
    name: `${endpointId}${n}`,
    cursor: `${98 + (n >> 1)} id_${100 + n}`,
  }));
}

/** A task whose processes die: each execution begins at the cursor that the one before has stored. */
class Walking {
  /** In order, each where it was first made. */
  readonly made: string[] = [];
  /** How many the stored progress tells. */
  examined = 0;
  private cursor: string | null = null;
  private readonly room = new Map<string, number>();

  constructor(
    private readonly items: readonly Item[],
    private readonly endpointId: string | null = null,
  ) {}

  madeAt(endpointId: string): readonly string[] {
    return this.made.filter((name) => name.startsWith(endpointId));
  }

  get isOverdrawn(): boolean {
    return [...this.room.values()].some((room) => room < 0);
  }

  /** So many more may wait at the endpoint. */
  give(endpointId: string, room: number): void {
    this.room.set(endpointId, (this.room.get(endpointId) ?? 0) + room);
  }

  /**
   * Works for so many steps, or to its end, and stores what it did but the last steps, while with each step one is attempted at each
   * of the endpoints that work. Whether it came to its end.
   */
  async work(steps: number, lost = 0, working: readonly string[] = []): Promise<boolean> {
    const seen: TaskStep[] = [];
    let isOver = true;
    for await (const step of this.walk().steps()) {
      seen.push(step);
      for (const endpointId of working) this.give(endpointId, 1);
      if (seen.length < steps) continue;
      isOver = false;
      break;
    }
    const stored = isOver ? seen : seen.slice(0, seen.length - lost);
    this.examined += stored.reduce((sum, { examined }) => sum + examined, 0);
    this.cursor = stored.at(-1)?.cursor ?? this.cursor;
    return isOver;
  }

  private walk(): BulkWalk<Item> {
    const { cursor, endpointId } = this;
    const task = { projectId: 'prj_1', dryRun: false, cursor, endpointId, parameters: { per_second: 12 }, advancedAt: 1 };
    const plan: BulkPlan<Item> = {
      items: (from) => this.pages(from, this.items),
      work: (item) => Promise.resolve(this.make(item)),
    };
    const itemsAt = (id: string, from: string | null) => this.pages(from, this.items.filter((item) => item.endpointId === id)); // prettier-ignore
    const allowance = { of: (_: string, id: string) => Promise.resolve(this.room.get(id) ?? 0) } as BulkAllowance;
    return new BulkWalk(
      task as unknown as RunningTask,
      endpointId === null ? { ...plan, itemsAt } : plan,
      { allowance, clock: new PassingClock() },
      new AbortController().signal,
    );
  }

  private async *pages(from: string | null, items: readonly Item[]) {
    const behind = items.filter(({ cursor }) => from === null || isAfter(cursor, from));
    for (let first = 0; first < behind.length; first += PAGE) yield await Promise.resolve(behind.slice(first, first + PAGE));
  }

  /** What was made before is found again, and takes no room. */
  private make({ endpointId, name }: Item): BulkResult {
    const isThere = this.made.includes(name);
    if (!isThere) {
      this.made.push(name);
      this.give(endpointId, -1);
    }
    const fresh = { kind: 'created', freshId: name, endpointId, madeAt: isThere ? 0 : null };
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
    expect(walking.made).toEqual(names);
  });

  it('goes on with the other endpoints where one has no room, and stays open', async () => {
    const walking = new Walking(items);
    walking.give('a', 5);
    walking.give('b', 100);
    expect(await walking.work(200)).toBe(false);
    expect(walking.madeAt('b')).toEqual(at('b'));
    expect(walking.madeAt('a')).toEqual(at('a').slice(0, walking.madeAt('a').length));
    expect(walking.madeAt('a').length).toBeLessThanOrEqual(5);
  });

  it('makes the rest once there is room again, oldest first, each once, also after its process was killed', async () => {
    const walking = new Walking(items);
    walking.give('a', 5);
    walking.give('b', 100);
    await walking.work(200);
    walking.give('a', 100);
    expect(await walking.work(Infinity)).toBe(true);
    expect(walking.madeAt('a')).toEqual(at('a'));
    expect([walking.made.length, walking.examined]).toEqual([60, 60]);
  });
});

describe('a task about one endpoint', () => {
  it('waits where that has no room', async () => {
    const items = itemsOf('a'.repeat(20));
    const walking = new Walking(items, 'a');
    walking.give('a', 5);
    expect(await walking.work(50)).toBe(false);
    expect(walking.made).toEqual(items.slice(0, 5).map(({ name }) => name));
    walking.give('a', 100);
    expect(await walking.work(Infinity)).toBe(true);
    expect([walking.made.length, walking.examined]).toEqual([20, 20]);
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
      phases: fc.array(phase, { maxLength: 6 }),
    });
    const law = fc.asyncProperty(any, async ({ letters, phases }) => {
      const items = itemsOf(letters);
      const walking = new Walking(items);
      let isOver = false;
      for (const { room, steps, lost, working } of phases) {
        for (const [index, endpointId] of [...'abc'].entries()) walking.give(endpointId, room[index]!);
        isOver ||= await walking.work(steps, lost, working);
      }
      if (!isOver) expect(await walking.work(Infinity, 0, [...'abc'])).toBe(true);
      for (const endpointId of 'abc') {
        const names = items.flatMap((item) => (item.endpointId === endpointId ? [item.name] : []));
        expect(walking.madeAt(endpointId)).toEqual(names);
      }
      expect([walking.examined, walking.isOverdrawn]).toEqual([items.length, false]);
    });
    await fc.assert(law, { numRuns: 200 });
  });
});
