import { FakeClock } from '@testing/fake-clock';
import { BodyShare, LIGHT_BODY_BYTES } from './body-share.js';

let clock: FakeClock;
let isEnding: boolean;
let share: BodyShare;
let read: string[];

beforeEach(() => {
  [clock, isEnding, read] = [new FakeClock(), false, []];
  share = new BodyShare(clock, () => isEnding);
});

const send = (name: string, body: Buffer) => share.enter(body, () => read.push(name) > 0);

/** Reading it takes so many milliseconds of a project's share. */
function heavy(ms: number): Buffer {
  return Buffer.concat([Buffer.alloc(ms * 200, ','), Buffer.alloc(LIGHT_BODY_BYTES, '1')]);
}

describe('the bodies of a project', () => {
  it('wait for nothing while they are short, whatever they hold, also beside one that does', () => {
    send('first', heavy(100));
    send('heavy', heavy(100));
    for (let n = 0; n < 100; n += 1) send(`short ${n}`, Buffer.alloc(LIGHT_BODY_BYTES, ','));
    expect(read).toHaveLength(101);
    expect(read).not.toContain('heavy');
  });

  it('wait for nothing while they are long texts', () => {
    for (let n = 0; n < 100; n += 1) send(`text ${n}`, Buffer.alloc(256 * 1024, 'x'));
    expect(read).toHaveLength(100);
  });

  it.each([',', ':', '[', '{'])('are read one at a time while they hold much: each %s counts', async (sign) => {
    const body = Buffer.alloc(20_000, sign);
    for (const name of ['first', 'second', 'third']) send(name, body);
    expect(read).toEqual(['first']);
    await clock.advance(99);
    expect(read).toEqual(['first']);
    await clock.advance(1);
    expect(read).toEqual(['first', 'second']);
    await clock.advance(100);
    expect(read).toEqual(['first', 'second', 'third']);
  });

  it('have saved nothing after a rest', async () => {
    send('long ago', heavy(100));
    await clock.advance(60_000);
    for (const name of ['first', 'second']) send(name, heavy(100));
    expect(read).toEqual(['long ago', 'first']);
  });

  it('are refused where 64 wait, and taken again when one was read', async () => {
    const taken = Array.from({ length: 66 }, (_, n) => send(`${n}`, heavy(100)));
    expect(taken).toEqual([...Array(65).fill(true), false]);
    await clock.advance(100);
    expect(send('later', heavy(100))).toBe(true);
    await clock.advance(65 * 100);
    expect(read).toEqual([...Array.from({ length: 65 }, (_, n) => `${n}`), 'later']);
  });

  it('keep no timer where none waits', () => {
    send('only', heavy(100));
    expect(clock.pending).toBe(0);
  });

  it('are read at once when the process ends', async () => {
    for (const name of ['first', 'second', 'third']) send(name, heavy(100));
    isEnding = true;
    await clock.advance(100);
    expect(read).toEqual(['first', 'second', 'third']);
  });
});
