import * as fc from 'fast-check';
import { Budget, type BudgetBounds, type BudgetSlot } from './budget.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

let numbered = 0;

interface Entry {
  readonly number: number;
  readonly owner: string;
  readonly weight: number;
  readonly over: AbortController;
  slot: BudgetSlot | null;
  failed: unknown;
}

function enter(budget: Budget, owner: string, weight: number, granted: Entry[] = []): Entry {
  const entry: Entry = { number: numbered++, owner, weight, over: new AbortController(), slot: null, failed: null };
  const inside = (slot: BudgetSlot) => {
    entry.slot = slot;
    granted.push(entry);
  };
  budget.enter(owner, weight, entry.over.signal).then(inside, (error: unknown) => (entry.failed = error));
  return entry;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ owner: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ leaves: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ givesUp: fc.nat() }) },
);
const bounds: BudgetBounds = { total: 20, perOwner: 10, least: 0 };

class Run {
  readonly all: Entry[] = [];
  /** In the order of entry. */
  readonly granted: Entry[] = [];
  readonly budget: Budget;

  constructor(bounds: BudgetBounds) {
    this.budget = new Budget(bounds);
  }

  get inside(): readonly Entry[] {
    return this.all.filter(({ slot }) => slot);
  }

  get waiting(): readonly Entry[] {
    return this.all.filter(({ slot, failed }) => !slot && failed === null);
  }

  async take(each: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    if ('owner' in each) this.all.push(enter(this.budget, each.owner, each.weight, this.granted));
    else if ('leaves' in each) this.end(this.inside[each.leaves % this.inside.length]);
    else this.waiting[each.givesUp % this.waiting.length]?.over.abort();
    await settle();
  }

  end(entry: Entry | undefined): void {
    if (!entry) return;
    entry.slot?.leave();
    this.all.splice(this.all.indexOf(entry), 1);
  }
}

const sum = (entries: readonly Entry[]) => entries.reduce((total, { weight }) => total + weight, 0);

describe('a budget', () => {
  it('never exceeds its bounds, but for an entry that is alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const run = new Run(bounds);
        for (const each of steps) {
          await run.take(each);
          expect(run.budget.held).toBe(sum(run.inside));
          if (run.inside.length > 1) expect(run.budget.held).toBeLessThanOrEqual(bounds.total);
          for (const owner of ['a', 'b', 'c']) {
            const own = run.inside.filter((entry) => entry.owner === owner);
            expect(run.budget.heldBy(owner)).toBe(sum(own));
            if (own.length > 1) expect(sum(own)).toBeLessThanOrEqual(bounds.perOwner);
          }
        }
      }),
    );
  });

  it('lets everyone in who does not give up, in order within an owner, and is empty in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const run = new Run(bounds);
        for (const each of steps) await run.take(each);
        while (run.inside.length > 0) {
          run.end(run.inside[0]);
          await settle();
        }
        expect(run.waiting).toEqual([]);
        expect(run.budget.held).toBe(0);
        for (const owner of ['a', 'b', 'c']) {
          const own = run.granted.filter((entry) => entry.owner === owner);
          expect(own).toEqual(own.toSorted((one, other) => one.number - other.number));
        }
      }),
    );
  });

  it('lets an owner that holds little in however much the others hold', () => {
    const budget = new Budget({ total: 10, perOwner: 10, least: 3 });
    expect(budget.tryEnter('a', 10)).not.toBeNull();
    const slots = [1, 1, 4, 1].map((weight) => budget.tryEnter('b', weight));
    expect(slots.map((slot) => slot !== null)).toEqual([true, true, true, false]);
    expect([budget.heldBy('b'), budget.held]).toEqual([6, 16]);
  });

  it('lets nobody in before others of its owner who wait', async () => {
    const budget = new Budget({ total: 10, perOwner: 10, least: 0 });
    const first = enter(budget, 'a', 8);
    const heavy = enter(budget, 'a', 5);
    expect(budget.tryEnter('a', 1)).toBeNull();
    expect(budget.tryEnter('b', 1)).not.toBeNull();
    await settle();
    first.slot?.leave();
    await settle();
    expect(heavy.slot).not.toBeNull();
  });

  it('rejects with the reason of whoever gives up, and goes on with who stood behind', async () => {
    const budget = new Budget({ total: 10, perOwner: 10, least: 0 });
    enter(budget, 'a', 8);
    const [heavy, light] = [enter(budget, 'a', 5), enter(budget, 'a', 2)];
    const late = enter(budget, 'a', 1);
    const gone = new Error('gone');
    heavy.over.abort(gone);
    await settle();
    expect([heavy.failed, light.slot !== null, late.slot]).toEqual([gone, true, null]);
    await expect(budget.enter('b', 1, AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(budget.held).toBe(10);
  });

  it('takes weight back once, however often an entry leaves', async () => {
    const budget = new Budget({ total: 10, perOwner: 10, least: 0 });
    const slot = budget.tryEnter('a', 6);
    const waiting = enter(budget, 'b', 5);
    await settle();
    expect([budget.held, waiting.slot]).toEqual([6, null]);
    slot?.leave();
    slot?.leave();
    await settle();
    expect([budget.held, budget.heldBy('a'), waiting.slot !== null]).toEqual([5, 0, true]);
  });

  it('holds the weight of work until it is over, however it ends', async () => {
    const budget = new Budget({ total: 1, perOwner: 1, least: 0 });
    const failing = budget.run('a', 1, async () => {
      await settle();
      throw new Error('failed');
    });
    const next = budget.run('a', 1, () => Promise.resolve(budget.held));
    await expect(failing).rejects.toThrow('failed');
    expect([await next, budget.held]).toEqual([1, 0]);
  });
});
