import { settle } from '@testing/fake-clock';
import { SchedulerWorld } from '@testing/scheduler-world';

let world: SchedulerWorld;
beforeEach(() => void (world = new SchedulerWorld()));

/** No project has the whole pool. */
const oneOfTwo = (n: number) => (n % 2 === 0 ? 'prj' : 'prj_2');

describe('a crowded pool of attempts', () => {
  it.each([
    [8, 272],
    [16, 304],
    [50, 398],
  ])('has small limits: %i endpoints that answered well and hang take up %i attempts', async (count, taken) => {
    const endpoints = Array.from({ length: count }, (_, n) => `we_${n}`);
    for (let n = 1; n <= 70; n++) for (const endpoint of endpoints) world.admit(`${endpoint}.${n}`, endpoint);
    await world.allDone(true);
    for (const endpoint of endpoints) for (let n = 101; n <= 170; n++) world.admit(`${endpoint}.${n}`, endpoint);
    await settle();
    expect(world.scheduler.inFlight).toBe(taken);
    expect(world.admit('other', 'we_other').kind).toBe('accepted');
  });

  it('has the whole limits again once it is no longer crowded, for what waited first', async () => {
    for (let n = 0; n < 40; n++) {
      world.admit(`before${n}`);
      await world.done(`before${n}`, true);
    }
    const others = Array.from({ length: 256 }, (_, n) => `other${n}`);
    for (const id of others) world.admit(id, `we_${id}`);
    world.begun.length = 0;
    for (let n = 0; n < 10; n++) world.admit(`d${n}`);
    expect(world.begun).toEqual(['d0', 'd1', 'd2', 'd3']);
    for (const id of others.slice(0, 5)) await world.done(id);
    expect(world.begun).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
    for (const id of others.slice(5)) await world.done(id);
    world.admit('new');
    expect(world.begun).toEqual([...Array.from({ length: 10 }, (_, n) => `d${n}`), 'new']);
  });

  it('lets nothing pass what waits', async () => {
    for (let n = 0; n < 40; n++) {
      world.admit(`before${n}`);
      await world.done(`before${n}`, true);
    }
    const others = Array.from({ length: 384 }, (_, n) => `other${n}`);
    for (const id of others) world.admit(id, `we_${id}`);
    for (let n = 0; n < 12; n++) world.admit(`d${n}`);
    world.begun.length = 0;
    for (const id of others.slice(0, 120)) await world.done(id);
    expect(world.begun).toEqual(['d1', 'd2', 'd3']);
    for (const id of others.slice(120, 137)) await world.done(id);
    world.admit('new');
    const rest = Array.from({ length: 11 }, (_, n) => `d${n + 1}`);
    expect(world.begun).toEqual([...rest, 'new'].slice(0, world.begun.length));
    for (const id of others.slice(137)) await world.done(id);
    expect(world.begun).toEqual([...rest, 'new']);
  });

  it('lets an endpoint have four again as soon as it is no longer nearly full', async () => {
    for (let n = 0; n < 384; n++) world.admit(`other${n}`, `we_other${n}`);
    for (let e = 0; e < 20; e++) for (let n = 0; n < 10; n++) world.admit(`d${e}.${n}`, `we_${e}`);
    expect(world.begun).toHaveLength(384 + 20);
    for (let n = 0; n < 20; n++) await world.done(`other${n}`);
    expect(world.begun).toHaveLength(384 + 20);
    for (let n = 20; n < 100; n++) await world.done(`other${n}`);
    expect(world.begun).toHaveLength(384 + 20 * 4);
  });

  it('tries a throttled endpoint again with the first room, whichever was throttled and served before', async () => {
    for (let n = 0; n < 384; n++) world.admit(`other${n}`, `we_other${n}`, oneOfTwo(n));
    for (let e = 0; e < 100; e++) for (const n of ['a', 'b']) world.admit(`served${e}${n}`, `we_served${e}`);
    for (const id of ['x0', 'x1']) world.admit(id, 'we_x');
    for (let e = 0; e < 100; e++) await world.done(`served${e}a`);
    for (let n = 0; world.scheduler.inFlight >= 384; n++) await world.done(`other${n}`);
    expect(world.begun.at(-1)).toBe('x1');
  });

  it('lets nothing new pass a throttled endpoint behind many others', async () => {
    const large = Array.from({ length: 16 }, (_, n) => `we_large${n}`);
    for (const endpoint of large) for (let n = 0; n < 10; n++) world.admit(`before ${endpoint} ${n}`, endpoint);
    await world.allDone(true);
    for (const endpoint of large) for (let n = 0; n < 6; n++) world.admit(`${endpoint} ${n}`, endpoint);
    for (let n = 0; n < 288; n++) world.admit(`other${n}`, `we_other${n}`);
    for (const endpoint of large) world.admit(`${endpoint} waits`, endpoint);
    for (const id of ['x0', 'x1']) world.admit(id, 'we_x');
    for (const n of [0, 1]) await world.done(`other${n}`);
    expect([world.begun.at(-1), world.scheduler.inFlight]).toEqual(['x0', 383]);
    world.admit('x2', 'we_x');
    expect(world.begun.slice(-2)).toEqual(['x0', 'x1']);
  });

  it('holds a partition only when the whole pool is in use', async () => {
    for (let n = 0; n < 512; n++) world.admit(`d${n}`, `we_${n}`, oneOfTwo(n));
    for (const [last, over] of [
      ['last', 'd7'],
      ['one more', 'd8'],
    ] as const) {
      const full = world.admit(last, `we_${last}`);
      expect(full.kind).toBe('full');
      let room = false;
      if (full.kind === 'full') void full.space.then(() => (room = true));
      await settle();
      expect(room).toBe(false);
      await world.done(over);
      expect(room).toBe(true);
      expect(world.admit(last, `we_${last}`).kind).toBe('accepted');
    }
  });

  it('lets partitions that wait for it in turn with endpoints that wait', async () => {
    for (let e = 0; e < 224; e++) for (let n = 0; n < 6; n++) world.admit(`d${e}.${n}`, `dead_${e}`, oneOfTwo(e));
    const offered = ['a', 'b', 'c'];
    const offer = () => {
      const result = world.admit(offered[0] ?? '', `we_${offered[0]}`);
      if (result.kind === 'full') void result.space.then(offer);
      else if (offered.shift() && offered.length > 0) offer();
    };
    offer();
    expect(world.begun).toHaveLength(512);
    for (let e = 96; e < 101; e++) await world.done(`d${e}.0`);
    expect(world.begun.slice(512)).toEqual(['a', 'd96.1', 'b', 'd97.1', 'c']);
    for (let e = 101; e < 104; e++) world.end(`d${e}.0`);
    await settle();
    expect(world.begun.slice(517)).toEqual(['d98.1', 'd99.1', 'd100.1']);
    expect(world.scheduler.inFlight).toBe(512);
  });

  it('leaves room at any time for an endpoint that has nothing open, though two hundred hang', async () => {
    for (let e = 0; e < 200; e++) for (let n = 0; n < 20; n++) world.admit(`d${e}.${n}`, `dead_${e}`, oneOfTwo(e));
    for (let n = 0; n < 1_500; n++) {
      expect(world.admit(`good${n}`, 'we_good').kind).toBe('accepted');
      expect(world.begun.at(-1)).toBe(`good${n}`);
      await world.done(`good${n}`, true);
      await world.done(world.begun.filter((id) => !id.startsWith('good'))[n] ?? '');
    }
  });
});
