import * as fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

interface Item {
  readonly owner: string;
  readonly number: number;
}

const owner = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), owner }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('next' as const), most: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'leave' as const), owner }) },
);

/** Runs steps on a queue and on a simple model of it. */
class Run {
  readonly queue = new FairQueue<Item>();
  readonly lines = new Map<string, Item[]>();
  readonly paused = new Set<string>();
  /** For each waiting owner: who had a turn since it began to wait. */
  readonly passedBy = new Map<string, string[]>();
  readonly served: { readonly items: readonly Item[]; readonly expected: readonly Item[] }[] = [];
  unserved = 0;
  unremoved = 0;
  /** Turns given to another owner than the model expects. */
  surprises = 0;
  private numbered = 0;

  push(owner: string): void {
    const item = { owner, number: this.numbered++ };
    this.queue.push(owner, item);
    this.lines.set(owner, [...this.line(owner), item]);
    this.waitFromNow(owner);
  }

  next(most: number): void {
    const expected = this.queue.nextOwner;
    const turn = this.queue.next(most);
    if (turn?.owner !== expected) this.surprises++;
    const ready = [...this.lines].filter(([owner, line]) => line.length > 0 && !this.paused.has(owner));
    this.served.push({ items: turn?.items ?? [], expected: turn ? this.line(turn.owner).splice(0, most) : [] });
    if (!turn) {
      this.unserved += ready.length;
      return;
    }
    this.passedBy.delete(turn.owner);
    for (const owners of this.passedBy.values()) owners.push(turn.owner);
    this.waitFromNow(turn.owner);
  }

  pause(owner: string): void {
    this.queue.pause(owner);
    this.paused.add(owner);
    this.passedBy.delete(owner);
  }

  resume(owner: string): void {
    this.queue.resume(owner);
    this.paused.delete(owner);
    this.waitFromNow(owner);
  }

  leave(owner: string): void {
    const item = this.line(owner).shift();
    if (item && !this.queue.remove(owner, item)) this.unremoved++;
    if (this.line(owner).length === 0) this.passedBy.delete(owner);
  }

  line(owner: string): Item[] {
    return this.lines.get(owner) ?? [];
  }

  private waitFromNow(owner: string): void {
    const waits = this.line(owner).length > 0 && !this.paused.has(owner);
    if (waits && !this.passedBy.has(owner)) this.passedBy.set(owner, []);
  }
}

function run(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Run {
  const run = new Run();
  for (const each of steps) {
    if (each.kind === 'next') run.next(each.most);
    else run[each.kind](each.owner);
  }
  return run;
}

describe('a fair queue', () => {
  it('serves the items of an owner in order, and has a turn for whoever waits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { queue, lines, served, unserved, unremoved, surprises } = run(steps);
        for (const { items, expected } of served) expect(items).toEqual(expected);
        expect([unserved, unremoved, surprises]).toEqual([0, 0, 0]);
        for (const [owner, line] of lines)
          expect([queue.sizeOf(owner), queue.peek(owner, 2)]).toEqual([line.length, line.slice(0, 2)]);
      }),
    );
  });

  it('lets no owner have two turns while another waits for one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        for (const owners of run(steps).passedBy.values()) expect(owners).toEqual([...new Set(owners)]);
      }),
    );
  });

  it('passes over whoever may not go, who keeps its turn', () => {
    const queue = new FairQueue<number>();
    for (const [owner, item] of [
      ['heavy', 9],
      ['light', 1],
      ['light', 2],
      ['heavy', 3],
    ] as const)
      queue.push(owner, item);
    const small = (_owner: string, first: number) => first < 5;
    expect(queue.next(1, small)).toEqual({ owner: 'light', items: [1] });
    expect(queue.next(1, small)).toEqual({ owner: 'light', items: [2] });
    expect(queue.next(1, small)).toBeUndefined();
    expect(queue.next(5)).toEqual({ owner: 'heavy', items: [9, 3] });
  });

  it('takes no more of an owner than it is bounded to', () => {
    const queue = new FairQueue<number>(2);
    expect([1, 2, 3].map((item) => queue.push('a', item))).toEqual([true, true, false]);
    expect(queue.push('b', 4)).toBe(true);
    expect(queue.sizeOf('a') + queue.sizeOf('b')).toBe(3);
    expect(queue.next()).toEqual({ owner: 'a', items: [1] });
    expect(queue.push('a', 5)).toBe(true);
  });

  it('takes what is pushed for a paused owner, which goes to the end of the round when it is resumed', () => {
    const queue = new FairQueue<number>();
    queue.pause('a');
    queue.push('a', 1);
    expect(queue.next()).toBeUndefined();
    queue.push('b', 2);
    expect(queue.owners).toBe(1);
    queue.resume('a');
    expect([queue.next(), queue.next()]).toEqual([
      { owner: 'b', items: [2] },
      { owner: 'a', items: [1] },
    ]);
  });

  it('keeps an owner paused whose items have all left', () => {
    const queue = new FairQueue<number>();
    queue.push('a', 1);
    queue.pause('a');
    expect([queue.remove('a', 1), queue.remove('a', 1)]).toEqual([true, false]);
    queue.push('a', 2);
    expect(queue.next()).toBeUndefined();
    queue.resume('a');
    queue.resume('a');
    expect(queue.next()).toEqual({ owner: 'a', items: [2] });
    expect([queue.owners, queue.sizeOf('a')]).toEqual([0, 0]);
  });

  it.each([true, false])('drops all that an owner has, though it is paused: %s', (isPaused) => {
    const queue = new FairQueue<number>();
    for (const item of [1, 2]) queue.push('a', item);
    queue.push('b', 3);
    if (isPaused) queue.pause('a');
    expect([queue.drop('a'), queue.drop('a'), queue.sizeOf('a')]).toEqual([[1, 2], [], 0]);
    queue.push('a', 4);
    expect([queue.next(), queue.next(), queue.next()]).toEqual([
      { owner: 'b', items: [3] },
      { owner: 'a', items: [4] },
      undefined,
    ]);
  });

  it('tells how many items of each owner wait, paused or not', () => {
    const queue = new FairQueue<number>();
    for (const [owner, item] of [
      ['a', 1],
      ['a', 2],
      ['b', 3],
    ] as const)
      queue.push(owner, item);
    queue.pause('a');
    expect(new Map(queue.sizes())).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
  });
});
