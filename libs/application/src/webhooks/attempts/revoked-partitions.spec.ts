import { settle } from '@testing/fake-clock';
import { pointerTo, SchedulerWorld } from '@testing/scheduler-world';
import type { DeliveryPointer } from '../delivery-pointer.js';

let world: SchedulerWorld;
beforeEach(() => (world = new SchedulerWorld()));

describe('an endpoint whose partition goes to another process', () => {
  const eightDue = () => Array.from({ length: 8 }, (_, n) => world.admit(`d${n}`));

  it('has its attempts under way ended here, and the others handed back, with what is told of more', async () => {
    eightDue();
    world.take({ ...pointerTo('d0'), more: true });
    world.assignment.isRevoked = true;
    await world.allDone(true);
    expect(world.begun).toEqual(['d0', 'd1', 'd2', 'd3']);
    expect(world.handedBack).toEqual(['d4', 'd5', 'd6', 'd7', 'd7 and more']);
    expect(world.scheduler.waiting).toEqual({ receiver: 0, place: 0 });
  });

  it('is served again once it has come back', async () => {
    eightDue();
    world.assignment.isRevoked = true;
    await world.allDone(true);
    world.assignment = { since: world.clock.elapsed(), isRevoked: false };
    world.admit('d4');
    expect(world.begun.at(-1)).toBe('d4');
  });

  it('is not served for a pointer that was on its way here', () => {
    world.assignment.isRevoked = true;
    expect([world.admit('d0').kind, world.begun]).toEqual(['full', []]);
  });
});

describe('an endpoint whose process ends', () => {
  it('has what waits handed back at once, each once', async () => {
    for (let n = 1; n <= 6; n++) world.admit(`d${n}`);
    world.shutdown.begin();
    void world.scheduler.leave(world);
    expect(world.handedBack).toEqual(['d5', 'd6']);
    await world.allDone(true);
    expect([world.begun.length, world.handedBack.length]).toEqual([4, 2]);
  });

  it('has attempts handed back that are given up then, and next ones that came too soon', async () => {
    for (const id of ['d1', 'd2']) world.admit(id);
    world.take({ ...pointerTo('d2'), attempt: 2 });
    world.shutdown.begin();
    const left = world.scheduler.leave(world);
    expect(world.handedBack).toEqual([]);
    world.finish.get('d1')?.(false);
    await world.done('d2');
    await left;
    expect(world.handedBack).toEqual(['d1', 'd2 again']);
  });

  it('has attempts left to the sweep that were given up before', async () => {
    world.admit('d1');
    world.finish.get('d1')?.(false);
    await settle();
    world.shutdown.begin();
    await world.scheduler.leave(world);
    expect(world.handedBack).toEqual([]);
  });

  it('has it told that more is due than was queued, also if all that is known of it runs', () => {
    for (let n = 0; n < 1_010; n++) world.admit(`d${n}`, 'flooded');
    world.take({ ...pointerTo('last', 'we_2'), more: true });
    world.shutdown.begin();
    void world.scheduler.leave(world);
    expect([world.handedBack.length, world.handedBack.slice(-2)]).toEqual([1_002, ['d1003 and more', 'last and more']]);
  });

  it('has it told of bulk deliveries beyond those queued, though live ones of it are all known', () => {
    world.admit('live');
    for (let n = 0; n < 1_010; n++) world.take({ ...pointerTo(`b${n}`), bulk: true });
    world.shutdown.begin();
    void world.scheduler.leave(world);
    expect(world.handedBack.filter((words) => words.endsWith('more'))).toEqual(['b1002 and more']);
  });

  it('has it told that more is due which is being looked up, and that is handed back no more', async () => {
    let found: (due: readonly DeliveryPointer[]) => void = () => undefined;
    world.due = () => new Promise((resolve) => (found = resolve));
    for (const id of ['d1', 'd2']) world.admit(id);
    world.take({ ...pointerTo('d2'), more: true });
    await world.done('d1', true);
    world.shutdown.begin();
    const left = world.scheduler.leave(world);
    found([pointerTo('d3')]);
    await world.done('d2', true);
    await left;
    expect([world.begun, world.handedBack]).toEqual([['d1', 'd2'], ['d2 and more']]);
  });

  it('keeps what is left where the process was the only one: its next start finds it', async () => {
    world = new SchedulerWorld('one');
    for (let n = 1; n <= 6; n++) world.admit(`d${n}`);
    world.shutdown.begin();
    world.assignment.isRevoked = true;
    void world.scheduler.leave(world);
    await world.allDone(true);
    expect([world.begun.length, world.handedBack]).toEqual([4, []]);
  });
});
