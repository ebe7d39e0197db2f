import { settle } from '@testing/fake-clock';
import { SchedulerWorld, pointerTo } from '@testing/scheduler-world';

let world: SchedulerWorld;
beforeEach(() => void (world = new SchedulerWorld()));

const bulk = (id: string, endpointId?: string, projectId?: string) =>
  world.take({ ...pointerTo(id, endpointId, projectId), bulk: true });
const begun = (prefix: string) => world.begun.filter((id) => id.startsWith(prefix)).length;

describe('deliveries of work in bulk', () => {
  it('leave one place of their endpoint to a live delivery', () => {
    for (let n = 1; n <= 9; n++) bulk(`bulk ${n}`);
    expect(begun('bulk')).toBe(3);
    world.admit('live 1');
    expect(begun('live')).toBe(1);
  });

  it('take at most half of the places while live ones wait, and as many as before once none does', async () => {
    for (let n = 1; n <= 20; n++) bulk(`bulk ${n}`);
    for (let n = 1; n <= 4; n++) world.admit(`live ${n}`);
    for (const id of ['bulk 1', 'bulk 2', 'bulk 3', 'live 1']) await world.done(id);
    expect([begun('bulk'), begun('live')]).toEqual([4, 4]);
    for (const id of ['live 2', 'live 3', 'live 4']) await world.done(id);
    expect([begun('bulk'), begun('live')]).toEqual([4 + 2, 4]);
  });

  it('never keep a live one waiting in their line', async () => {
    for (let n = 1; n <= 500; n++) bulk(`bulk ${n}`);
    for (let n = 1; n <= 10; n++) world.admit(`live ${n}`);
    let ended = 0;
    while (begun('live') < 10) await world.done(world.begun[ended++]!);
    expect(begun('bulk')).toBeLessThanOrEqual(3 + 10);
  });

  it('never keep the partition waiting, also where all places are taken', () => {
    for (let n = 1; n <= 512; n++) world.admit(`d${n}`, `we_${n}`, `prj_${n % 10}`);
    expect(bulk('bulk 1', 'we_free', 'prj_free').kind).toBe('accepted');
    expect(world.admit('live 1', 'we_free', 'prj_free').kind).toBe('full');
    expect(begun('bulk')).toBe(0);
  });

  it('are made in the end, all of them and each once', async () => {
    for (let n = 1; n <= 40; n++) bulk(`bulk ${n}`, `we_${n % 3}`);
    for (let n = 1; n <= 40; n++) world.admit(`live ${n}`, `we_${n % 3}`);
    for (let ended = 0; ended < world.begun.length; ended++) await world.done(world.begun[ended]!, ended % 3 === 0);
    expect(new Set(world.begun).size).toBe(80);
    expect(world.begun).toHaveLength(80);
    expect(world.scheduler.waiting).toEqual({ receiver: 0, place: 0 });
  });

  it('beyond a thousand are looked up apart from live ones', async () => {
    const asked: (boolean | undefined)[] = [];
    world.due = (pointer) => {
      asked.push(pointer.bulk);
      return Promise.resolve([]);
    };
    bulk('bulk 1');
    world.take({ ...pointerTo('bulk 1'), bulk: true, more: true });
    await world.done('bulk 1');
    await settle();
    expect(asked).toEqual([true]);
  });
});
