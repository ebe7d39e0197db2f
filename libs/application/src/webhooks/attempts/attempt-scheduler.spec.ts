import { settle } from '@testing/fake-clock';
import { SchedulerWorld, pointerTo } from '@testing/scheduler-world';

let world: SchedulerWorld;
beforeEach(() => void (world = new SchedulerWorld()));

describe('the scheduler of attempts', () => {
  it('sends an endpoint four attempts at a time, and lets the partition go on', async () => {
    for (let n = 1; n <= 6; n++) expect(world.admit(`d${n}`).kind).toBe('accepted');
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4']);
    await world.done('d2');
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    await world.done('d1');
    await world.done('d3');
    expect(world.begun).toHaveLength(6);
  });

  it('sends one more at a time with every attempt that goes well, and four again after one that does not', async () => {
    for (let n = 1; n <= 20; n++) world.admit(`d${n}`);
    for (const id of ['d1', 'd2', 'd3']) await world.done(id, true);
    expect(world.begun).toHaveLength(4 + 3 + 3);
    for (const id of ['d4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10']) await world.done(id);
    expect(world.begun).toHaveLength(10 + 4);
  });

  it('sends an endpoint sixty-four at a time and no more', async () => {
    for (let n = 1; n <= 200; n++) world.admit(`d${n}`);
    for (let n = 1; n <= 100; n++) await world.done(`d${n}`, true);
    expect(world.scheduler.inFlight).toBe(64);
  });

  it('sends as many at a time as before when nothing was sent', async () => {
    const nothingSent = async (id: string) => {
      world.answer.get(id)?.(null);
      await world.done(id);
    };
    for (let n = 1; n <= 30; n++) world.admit(`d${n}`);
    for (const id of ['d1', 'd2', 'd3', 'd4']) await nothingSent(id);
    expect(world.begun).toHaveLength(8);
    for (const id of ['d5', 'd6']) await world.done(id, true);
    await nothingSent('d7');
    expect(world.begun).toHaveLength(13);
  });

  it('tells what waits for its receiver from what waits for a place among all attempts', async () => {
    for (let n = 1; n <= 6; n++) world.admit(`d${n}`);
    expect(world.scheduler.waiting).toEqual({ receiver: 2, place: 0 });
    for (let n = 5; n <= 512; n++) world.admit(`other ${n}`, `we_other_${n}`, `prj_${n % 10}`);
    expect([world.scheduler.inFlight, world.scheduler.waiting]).toEqual([512, { receiver: 2, place: 0 }]);
    world.answer.get('d1')?.(true);
    expect([world.scheduler.inFlight, world.scheduler.waiting]).toEqual([512, { receiver: 0, place: 2 }]);
    await world.done('other 5');
    await world.done('other 6');
    expect(world.scheduler.waiting).toEqual({ receiver: 0, place: 0 });
  });

  it('sends the next when the endpoint has answered, before that is stored', async () => {
    for (let n = 1; n <= 6; n++) world.admit(`d${n}`);
    world.answer.get('d2')?.(false);
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    expect(world.scheduler.inFlight).toBe(5);
    await world.done('d2');
    expect(world.begun).toHaveLength(5);
    expect(world.scheduler.inFlight).toBe(4);
  });

  it('makes the next attempt of a delivery when the last outcome of its endpoint is stored', async () => {
    for (const id of ['d1', 'd2']) world.admit(id);
    for (const id of ['d1', 'd2']) world.answer.get(id)?.(false);
    await world.done('d1');
    world.take({ ...pointerTo('d2'), attempt: 2 });
    await world.done('d2');
    expect(world.begun).toEqual(['d1', 'd2', 'd2']);
  });

  it('looks up what an endpoint was not told of while the outcome of its last attempt was stored', async () => {
    world.admit('d1');
    world.answer.get('d1')?.(false);
    world.take({ ...pointerTo('d1'), more: true });
    world.stored = [pointerTo('d2')];
    await world.done('d1');
    expect(world.begun).toEqual(['d1', 'd2']);
  });

  it('counts an attempt as done only when it is, and one that waits at once', async () => {
    const first = world.admit('d1');
    let settled = false;
    if (first.kind === 'accepted') void first.done.then(() => (settled = true));
    await settle();
    expect(settled).toBe(false);
    await world.done('d1');
    expect(settled).toBe(true);
  });

  it('takes a delivery once while it is under way', async () => {
    for (let n = 0; n < 3; n++) world.admit('d1');
    expect(world.begun).toEqual(['d1']);
    expect(world.scheduler.knows(pointerTo('d1'))).toBe(true);
    await world.done('d1');
    expect(world.scheduler.knows(pointerTo('d1'))).toBe(false);
    expect(world.scheduler.inFlight).toBe(0);
  });

  it('takes a delivery though a pointer that names another endpoint for it waits there', async () => {
    for (let n = 1; n <= 4; n++) world.admit(`d${n}`, 'busy');
    world.admit('d5', 'busy');
    world.admit('d5');
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    await world.done('d1');
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5', 'd5']);
  });

  it('makes the next attempt of a delivery as soon as the outcome of the one before is stored', async () => {
    for (const attempt of [1, 1, 2]) world.take({ ...pointerTo('d1'), attempt });
    await world.done('d1');
    expect(world.begun).toEqual(['d1', 'd1']);
    await world.done('d1');
    expect(world.begun).toHaveLength(2);
  });

  it('takes a pointer to an attempt again once it is clear that nothing was sent', async () => {
    world.admit('d1');
    world.admit('d1');
    world.answer.get('d1')?.(null);
    expect(world.scheduler.inFlight).toBe(0);
    world.admit('d1');
    expect(world.begun).toEqual(['d1', 'd1']);
    await world.done('d1');
    expect(world.scheduler.inFlight).toBe(0);
  });

  it('looks up what it could not remember', async () => {
    world.stored = Array.from({ length: 2_500 }, (_, n) => pointerTo(`d${n}`));
    for (const each of world.stored) world.take(each);
    await world.allDone();
    expect(new Set(world.begun).size).toBe(2_500);
    expect(world.begun).toHaveLength(2_500);
    expect(world.scheduler.inFlight).toBe(0);
  });

  it('looks up nothing more once it has found all', async () => {
    world.stored = Array.from({ length: 1_010 }, (_, n) => pointerTo(`d${n}`));
    for (const each of world.stored) world.take(each);
    await world.allDone(true);
    const lookUps = jest.spyOn(world, 'due');
    world.admit('later');
    await world.done('later');
    expect(lookUps).not.toHaveBeenCalled();
  });

  it('looks up what a pointer says is due besides, once it has made what it was told', async () => {
    world.stored = Array.from({ length: 2_500 }, (_, n) => pointerTo(`d${n}`));
    world.take({ ...world.stored[0]!, more: true });
    await world.allDone(true);
    expect(new Set(world.begun).size).toBe(2_500);
    expect(world.begun).toHaveLength(2_500);
  });

  it('looks up nothing more that a pointer spoke of before it was refused for want of room', async () => {
    const lookUps = jest.spyOn(world, 'due');
    for (let n = 0; n < 128; n++) for (let each = 0; each < 4; each++) world.admit(`d${n}.${each}`, `we_${n}`, `p_${n % 64}`);
    const refused = world.take({ ...pointerTo('late', 'we_late', 'p_late'), more: true });
    expect(refused.kind).toBe('full');
    await world.allDone();
    expect(lookUps).not.toHaveBeenCalled();
  });

  it('looks up what is due also while it waits for it with nothing under way', async () => {
    world.stored = Array.from({ length: 1_010 }, (_, n) => pointerTo(`d${n}`));
    let late = (): void => undefined;
    const { due } = world;
    world.due = (pointer, limit) => new Promise((resolve) => (late = () => resolve(due.call(world, pointer, limit))));
    for (const each of world.stored) world.take(each);
    await world.allDone();
    expect(world.scheduler.inFlight).toBe(0);
    late();
    await settle();
    await world.allDone();
    expect(world.begun).toHaveLength(1_010);
  });

  it('looks up again what could not be looked up, once there is more to do; until then it is left to the sweep', async () => {
    world.stored = Array.from({ length: 1_030 }, (_, n) => pointerTo(`d${n}`));
    const { due } = world;
    world.due = () => Promise.reject(new Error('out of reach'));
    for (const each of world.stored) world.take(each);
    await world.allDone(true);
    expect(world.begun).toHaveLength(1_004);
    world.due = due;
    world.take(world.stored[1_020]!);
    await world.allDone();
    expect(new Set(world.begun).size).toBe(1_030);
  });

  it('announces what comes next before it begins, many at a time and each once', async () => {
    for (let n = 1; n <= 80; n++) world.admit(`d${n}`);
    expect(world.readFor).toEqual([]);
    await world.allDone();
    const told = world.readFor.map((next) => next.length);
    expect([told, world.readFor.flat()]).toEqual([[32, 32, 12], world.begun.slice(4)]);
  });

  it('announces fewer the more endpoints there are, and none where hardly any could be kept until it comes', async () => {
    const all = Array.from({ length: 1_100 }, (_, n) => `we_${n}`);
    const admitted = async (count: number) => {
      const [some, each] = [all.slice(0, count), [1, 2, 3, 4, 5, 6, 7]];
      for (const endpoint of some) for (const n of each) world.admit(`${endpoint}.${n} of ${count}`, endpoint, endpoint);
      await world.allDone();
      return Math.max(0, ...world.readFor.splice(0).map((next) => next.length));
    };
    expect([await admitted(100), await admitted(1_000), await admitted(1_100)]).toEqual([3, 2, 0]);
  });

  it('serves waiting endpoints in turn', async () => {
    for (const endpoint of ['a', 'b']) for (let n = 0; n < 6; n++) world.admit(`${endpoint}${n}`, endpoint);
    expect(world.begun).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3']);
    await world.done('a0');
    await world.done('b0');
    expect(world.begun.slice(8)).toEqual(['a4', 'b4']);
  });

  it('begins nothing once the process shuts down, and tells when the last attempt is over', async () => {
    for (let n = 1; n <= 6; n++) world.admit(`d${n}`);
    world.shutdown.begin();
    expect(world.admit('new', 'we_2').kind).toBe('full');
    let settled = false;
    void world.scheduler.leave(world).then(() => (settled = true));
    for (const id of ['d1', 'd2', 'd3']) await world.done(id);
    expect(settled).toBe(false);
    await world.done('d4');
    expect(settled).toBe(true);
    expect(world.begun).toHaveLength(4);
  });
});
