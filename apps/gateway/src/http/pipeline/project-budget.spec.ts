import { AsyncLocalStorage } from 'node:async_hooks';
import { FakeClock } from '@testing/fake-clock';
import { ProjectBudget, type BudgetKind, type BudgetLimits, type BudgetSlot } from './project-budget.js';

const MB = 1_048_576;
const READS = 100;
/** The cost of a hundred reads a second. */
const A_SECOND = READS * 64 * 1_024;

let clock: FakeClock;
let isEnding: boolean;
let budget: ProjectBudget;
let begun: number[];
/** Slots that have begun and were not charged yet, in order. */
let slots: BudgetSlot[];

const LIMITS: BudgetLimits = {
  unitsPerSecond: (requests) => (requests === 0 ? 0 : Math.max(requests, READS) * 64 * 1_024),
  savedSeconds: 1,
  mostHeld: 16 * MB,
  mostWaiting: 1_000,
  pagesAtOnce: (usual) => (usual > 64 * 1_024 ? 2 : 16),
};

beforeEach(() => {
  [clock, isEnding, begun, slots] = [new FakeClock(), false, [], []];
  budget = new ProjectBudget(clock, LIMITS, () => isEnding);
});

function ask(count: number, perSecond = READS, kind: BudgetKind = 'page'): readonly boolean[] {
  const first = asked;
  asked += count;
  return Array.from({ length: count }, (_, n) =>
    enter(kind, perSecond, (slot) => {
      begun.push(first + n);
      slots.push(slot);
    }),
  );
}
let asked = 0;
beforeEach(() => void (asked = 0));

function enter(kind: BudgetKind, perSecond: number, go: (slot: BudgetSlot) => void, owner = 'prj_1'): boolean {
  return budget.enter(owner, kind, perSecond, go);
}

/** Charges the oldest uncharged slot. */
function charge(units: number): BudgetSlot {
  const slot = slots.shift();
  if (!slot) throw new Error('nothing has begun');
  slot.charge(units);
  return slot;
}

function give(bytes: number): void {
  charge(bytes).leave();
}

describe('the reads of a project', () => {
  it('of single things wait behind no page', () => {
    ask(20);
    ask(20, READS, 'single');
    expect(begun).toEqual([...Array(16).keys(), ...Array.from({ length: 20 }, (_, n) => 20 + n)]);
    slots.at(-1)?.charge(100);
    expect(begun).toHaveLength(36);
  });

  it('of single things wait for long answers as pages do, and go on before them', async () => {
    ask(16);
    for (let n = 0; n < 16; n++) give(2 * MB);
    ask(1);
    ask(1, READS, 'single');
    expect(begun).toHaveLength(16);
    await clock.advance(6_000);
    expect(begun.slice(16)).toEqual([17, 16]);
  });

  it('are carried out sixteen at once, the others as those are answered, first come, first served', () => {
    ask(20);
    expect(begun).toHaveLength(16);
    give(100);
    give(100);
    expect(begun).toEqual([...Array(18).keys()]);
  });

  it('are two at once while they are long', () => {
    ask(16, 0);
    for (let n = 0; n < 16; n++) give(MB);
    ask(8, 0);
    expect(begun).toHaveLength(18);
    give(1_000);
    expect(begun).toHaveLength(19);
    while (slots.length > 0) give(1_000);
    ask(16, 0);
    while (slots.length > 0) give(1_000);
    ask(17, 0);
    expect(begun).toHaveLength(16 + 8 + 16 + 16);
  });

  it('wait as many as there may be connections, and no more', () => {
    expect(ask(16 + 1_000).every(Boolean)).toBe(true);
    expect(ask(1)).toEqual([false]);
  });

  it('wait while their answers are longer than so many reads may be', async () => {
    ask(16);
    for (let n = 0; n < 16; n++) give(2 * MB);
    ask(1);
    expect(begun).toHaveLength(16);
    await clock.advance((1_000 * (32 * MB - A_SECOND)) / A_SECOND - 300);
    expect(begun).toHaveLength(16);
    await clock.advance(600);
    expect(begun).toHaveLength(17);
  });

  it('are looked at now and then while they wait, once for all of them, and no more when none does', async () => {
    ask(16);
    for (let n = 0; n < 16; n++) give(2 * MB);
    ask(100);
    expect(clock.pending).toBe(1);
    await clock.advance(6_000);
    expect(begun).toHaveLength(16 + 2);
    for (let n = 0; n < 100; n++) give(0);
    await clock.advance(250);
    expect([begun.length, clock.pending]).toEqual([116, 0]);
  });

  it('wait no longer than their length asks for', async () => {
    ask(1);
    give(A_SECOND + A_SECOND / 100);
    ask(1);
    await clock.advance(9);
    expect(begun).toHaveLength(1);
    await clock.advance(3);
    expect(begun).toHaveLength(2);
  });

  it('cost one that may read seldom no more than others', async () => {
    ask(1, 1);
    give(2 * A_SECOND);
    ask(1, 1);
    await clock.advance(1_100);
    expect(begun).toHaveLength(2);
  });

  it('are counted by the rate that their project has now', () => {
    ask(1);
    give(2 * A_SECOND);
    ask(1, 0);
    expect(begun).toHaveLength(2);
  });

  it('never wait for their length where any number of them is taken', () => {
    ask(16, 0);
    for (let n = 0; n < 16; n++) give(2 * MB);
    ask(1, 0);
    expect(begun).toHaveLength(17);
  });

  it('wait while what was answered is not taken', () => {
    ask(8, 0);
    const held = Array.from({ length: 8 }, () => charge(2 * MB));
    ask(1, 0);
    expect(begun).toHaveLength(8);
    held[0]?.leave();
    expect(begun).toHaveLength(9);
  });

  it('that are answered as soon as they are called do not call each other inside one another', async () => {
    let depth = 0;
    let deepest = 0;
    const answeredAtOnce = (slot: BudgetSlot) => {
      deepest = Math.max(deepest, ++depth);
      slot.leave();
      depth -= 1;
    };
    ask(16, 0);
    for (let n = 0; n < 1_000; n++) enter('page', 0, answeredAtOnce);
    give(0);
    expect([deepest, enter('page', 0, () => undefined)]).toEqual([1, true]);
  });

  it('save up no more than a second’s worth', async () => {
    ask(1);
    give(0);
    await clock.advance(60_000);
    ask(1);
    give(A_SECOND);
    ask(1);
    expect(begun).toHaveLength(2);
  });

  it('that wait go on at once when the process is to end', async () => {
    ask(16);
    for (let n = 0; n < 16; n++) give(100 * MB);
    ask(2);
    isEnding = true;
    await clock.advance(250);
    expect(begun).toHaveLength(18);
  });

  it('wait for those of no other project', () => {
    ask(16 + 4);
    const other: string[] = [];
    for (let n = 0; n < 20; n++) enter('page', READS, () => void other.push('begun'), 'prj_2');
    expect([begun.length, other.length]).toEqual([16, 16]);
  });

  it('are charged once, and give back once', () => {
    ask(2, 0);
    const [first, second] = [charge(8 * MB), charge(16 * MB)];
    first.charge(100 * MB);
    for (const _ of [1, 2]) first.leave();
    ask(1, 0);
    expect(begun).toHaveLength(2);
    second.leave();
    expect(begun).toHaveLength(3);
  });

  it('go on in the async context of their own requests', () => {
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    ask(16);
    for (const name of ['one', 'other']) {
      request.run(name, () => enter('page', READS, () => contexts.push(request.getStore())));
    }
    request.run('the one before', () => {
      give(1);
      give(1);
    });
    expect(contexts).toEqual(['one', 'other']);
  });
});
