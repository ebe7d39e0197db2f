import fc from 'fast-check';
import { TranscriptBudget } from './turn-context.js';

const MEBI = 1024 * 1024;
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Turn {
  readonly projectId: string;
  readonly weight: number;
  state: 'in' | 'waiting' | 'refused' | 'over';
  readonly end: () => void;
}

let budget: TranscriptBudget;
beforeEach(() => (budget = new TranscriptBudget()));

function turn(projectId: string, weight: number): Turn {
  const over = new AbortController();
  const entered = budget.enter(projectId, weight, over.signal);
  const end = () => {
    if (it.state === 'in') it.state = 'over';
    over.abort();
  };
  const it: Turn = { projectId, weight, state: entered === true ? 'in' : 'waiting', end };
  if (entered !== true) {
    entered.then(
      () => (it.state = 'in'),
      () => (it.state = 'refused'),
    );
  }
  return it;
}

function turns(count: number, projectId: string, weight: number): Turn[] {
  return Array.from({ length: count }, () => turn(projectId, weight));
}

async function states(...some: readonly Turn[]) {
  await settle();
  return some.map(({ state }) => state);
}

const weightOf = (some: readonly Turn[]) => some.reduce((sum, { weight }) => sum + weight, 0);

describe('the budget of transcripts', () => {
  it('lets a turn in at once while there is room', () => {
    expect(turns(16, 'ours', MEBI).map(({ state }) => state)).toEqual(Array(16).fill('in'));
  });

  it('is sixteen mebi characters for a project, and lets the next turn in as soon as one ends', async () => {
    const [first, , last] = turns(3, 'ours', 8 * MEBI);
    expect(await states(last!)).toEqual(['waiting']);
    first!.end();
    expect(await states(last!)).toEqual(['in']);
  });

  it('is forty-eight mebi characters for all projects together', async () => {
    const [first] = ['a', 'b', 'c'].map((projectId) => turn(projectId, 15 * MEBI));
    const [holds, waits] = turns(2, 'd', 2 * MEBI);
    expect(await states(holds!, waits!)).toEqual(['in', 'waiting']);
    first!.end();
    expect(await states(waits!)).toEqual(['in']);
  });

  it('is used to the last of the forty-eight', async () => {
    for (const projectId of ['a', 'b', 'c']) turn(projectId, 15 * MEBI);
    expect(await states(...turns(3, 'd', MEBI), turn('d', 1))).toEqual(['in', 'in', 'in', 'waiting']);
  });

  it('always has room for a project that holds little', async () => {
    for (const projectId of ['a', 'b', 'c']) turns(20, projectId, MEBI);
    expect(await states(...turns(4, 'light', MEBI / 4), turn('light', 1))).toEqual(['in', 'in', 'in', 'in', 'waiting']);
    expect(await states(turn('lighter', MEBI))).toEqual(['in']);
  });

  it('lets in one transcript heavier than all of it when its project holds nothing', async () => {
    const light = turn('ours', 1);
    const heavy = turn('ours', 100 * MEBI);
    expect(await states(heavy)).toEqual(['waiting']);
    light.end();
    expect(await states(heavy, turn('ours', 1), turn('theirs', 1))).toEqual(['in', 'waiting', 'in']);
  });

  it("serves a project's turns in order of arrival, and no turn waits behind another project", async () => {
    const held = turn('ours', 10 * MEBI);
    const heavy = turn('ours', 10 * MEBI);
    const behind = turn('ours', 1);
    expect(await states(heavy, behind, turn('theirs', 10 * MEBI))).toEqual(['waiting', 'waiting', 'in']);
    held.end();
    expect(await states(heavy, behind)).toEqual(['in', 'in']);
  });

  it('serves projects in turn', async () => {
    const [first] = ['a', 'b', 'c'].map((projectId) => turn(projectId, 15 * MEBI));
    const [, ...ours] = turns(4, 'ours', 4 * MEBI);
    const [, ...theirs] = turns(4, 'theirs', 4 * MEBI);
    first!.end();
    expect(await states(...ours)).toEqual(['in', 'waiting', 'waiting']);
    expect(await states(...theirs)).toEqual(['in', 'waiting', 'waiting']);
  });

  it('rejects a waiting turn that is over, which delays nobody behind it', async () => {
    turn('ours', 10 * MEBI);
    const heavy = turn('ours', 10 * MEBI);
    const behind = turn('ours', 1);
    heavy.end();
    expect(await states(heavy, behind)).toEqual(['refused', 'in']);
  });

  it('takes weight back once, however often a turn ends', async () => {
    const [first, , , waiting] = turns(4, 'ours', 8 * MEBI);
    first!.end();
    first!.end();
    expect(await states(waiting!)).toEqual(['waiting']);
  });

  it('is not used by a turn that is over', async () => {
    expect(budget.enter('ours', 100 * MEBI, AbortSignal.abort())).toBe(true);
    expect(await states(turn('ours', 16 * MEBI))).toEqual(['in']);
  });
});

describe('whatever comes and ends', () => {
  const PROJECTS = [...'abcdef'];
  const upTo = (max: number) => fc.integer({ min: 1, max });
  const weight = fc.oneof({ weight: 9, arbitrary: upTo(4 * MEBI) }, upTo(20 * MEBI));
  const coming = fc.record({ projectId: fc.constantFrom(...PROJECTS), weight });
  const ending = fc.record({ nth: fc.nat(10) });

  const inside = (all: readonly Turn[], projectId: string) =>
    all.filter((each) => each.projectId === projectId && each.state === 'in');

  /** The newest of a project may be heavier than all, or be let in because the project held little. */
  function expectBounded(all: readonly Turn[]): void {
    const held = PROJECTS.map((projectId) => inside(all, projectId));
    for (const some of held) expect(some.length < 2 || weightOf(some) <= 16 * MEBI).toBe(true);
    expect(weightOf(held.flatMap((some) => some.slice(0, -1)))).toBeLessThanOrEqual((48 + PROJECTS.length) * MEBI);
  }

  it('no more is held than may be, and everybody has room once what is under way ends', async () => {
    const happenings = fc.array(fc.oneof({ weight: 9, arbitrary: coming }, ending), { maxLength: 100, size: 'max' });
    const law = async (some: readonly ({ projectId: string; weight: number } | { nth: number })[]) => {
      budget = new TranscriptBudget();
      const all: Turn[] = [];
      for (const each of some) {
        if ('nth' in each) all.filter(({ state }) => state === 'in')[each.nth]?.end();
        else all.push(turn(each.projectId, each.weight));
        await settle();
        expectBounded(all);
      }
      for (const each of all) {
        await settle();
        each.end();
      }
      expect(new Set(await states(...all))).toEqual(new Set(all.length > 0 ? ['over'] : []));
    };
    await fc.assert(fc.asyncProperty(happenings, law), { numRuns: 50 });
  });
});
