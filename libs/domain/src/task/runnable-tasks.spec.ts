import fc from 'fast-check';
import { runnableTasks, type OpenTask } from './runnable-tasks.js';

const task = (number: number, more: Partial<OpenTask> = {}): OpenTask => ({
  id: `task_${number}`,
  owner: 'prj_1',
  endpointId: null,
  dryRun: false,
  createdAt: number,
  isRunning: false,
  ...more,
});
const runnable = (...open: readonly OpenTask[]) => runnableTasks(open).map(({ id }) => id);

describe('of the open tasks', () => {
  it('one runs for each endpoint, in the order of creation', () => {
    const [a, b, c] = [task(1, { endpointId: 'we_1' }), task(2, { endpointId: 'we_1' }), task(3, { endpointId: 'we_2' })];
    expect(runnable(c, b, a)).toEqual(['task_1', 'task_3']);
  });

  it('one over a whole project waits for those before it and holds up those behind it', () => {
    const [a, whole, c] = [task(1, { endpointId: 'we_1' }), task(2), task(3, { endpointId: 'we_2' })];
    expect(runnable(a, whole, c)).toEqual(['task_1']);
    expect(runnable(whole, c)).toEqual(['task_2']);
    expect(runnable({ ...c, isRunning: true }, whole)).toEqual(['task_3']);
  });

  it('those of other projects do not matter', () =>
    expect(runnable(task(1), task(2, { owner: 'prj_2' }))).toEqual(['task_1', 'task_2']));

  it('a dry run waits for nobody, and nobody waits for it', () => {
    expect(runnable(task(1, { dryRun: true }), task(2), task(3, { dryRun: true }))).toEqual(['task_1', 'task_2', 'task_3']);
  });

  it('never two run that exclude each other, the running ones go on, and the first of a project is never kept waiting', () => {
    const any = fc.record<OpenTask>({
      id: fc.uuid(),
      owner: fc.constantFrom('prj_1', 'prj_2'),
      endpointId: fc.constantFrom(null, 'we_1', 'we_2'),
      dryRun: fc.boolean(),
      createdAt: fc.nat(20),
      isRunning: fc.constant(false),
    });
    const law = fc.property(fc.uniqueArray(any, { selector: ({ id }) => id, maxLength: 20 }), fc.nat(), (open, seed) => {
      const first = runnableTasks(open);
      const running = new Set(first.filter((_, index) => (seed >> (index % 30)) & 1).map(({ id }) => id));
      const now = runnableTasks(open.map((each) => ({ ...each, isRunning: running.has(each.id) })));
      for (const id of running) expect(now.some((each) => each.id === id)).toBe(true);
      for (const one of now) for (const other of now) if (excludes(one, other)) throw new Error(`${one.id} beside ${other.id}`);
      for (const owner of new Set(open.filter(({ dryRun }) => !dryRun).map((each) => each.owner)))
        expect(now.some((each) => each.owner === owner && !each.dryRun)).toBe(true);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

function excludes(one: OpenTask, other: OpenTask): boolean {
  if (one === other || one.owner !== other.owner || one.dryRun || other.dryRun) return false;
  return one.endpointId === null || other.endpointId === null || one.endpointId === other.endpointId;
}
