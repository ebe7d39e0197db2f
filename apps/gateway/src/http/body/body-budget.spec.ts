import type { FastifyRequest } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import { FakeClock } from '@testing/fake-clock';
import { BodyBudget, LIGHT_BODY_BYTES } from './body-budget.js';

let clock: FakeClock;
let shutdown: Shutdown;
let budget: BodyBudget;
let read: string[];

beforeEach(() => {
  [clock, shutdown, read] = [new FakeClock(), new Shutdown(), []];
  budget = new BodyBudget(clock, shutdown);
});

type Sender = Pick<FastifyRequest, 'state' | 'raw'> & { raw: { socket: { destroyed: boolean } } };
const from = (projectId: string | null) =>
  ({ state: { caller: projectId === null ? null : { projectId } }, raw: { socket: { destroyed: false } } }) as unknown as Sender;

/** False if refused at once. */
function send(name: string, body: Buffer, sender = from('prj_1')): boolean {
  let isRefused = false;
  budget.admit(sender, body, (refusal) => {
    if (refusal) isRefused = true;
    else read.push(name);
  });
  return !isRefused;
}

/** A body whose parsing takes so many milliseconds of a project's share. */
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
    shutdown.begin();
    await clock.advance(100);
    expect(read).toEqual(['first', 'second', 'third']);
  });

  it('wait for none of another project', () => {
    for (const project of ['prj_1', 'prj_2', null]) send(`of ${project}`, heavy(1_000), from(project));
    expect(read).toEqual(['of prj_1', 'of prj_2', 'of null']);
  });

  it('are refused with 429 where their client has gone meanwhile', async () => {
    send('first', heavy(100));
    const leaving = from('prj_1');
    const told: unknown[] = [];
    budget.admit(leaving, heavy(100), (refusal) => void told.push((refusal as { code?: string } | null)?.code));
    leaving.raw.socket.destroyed = true;
    await clock.advance(200);
    expect(told).toEqual(['rate_limit_exceeded']);
  });

  it('whose clients have gone cost their project nothing', async () => {
    send('first', heavy(1_000));
    const gone = Array.from({ length: 60 }, () => from('prj_1'));
    for (const [n, sender] of gone.entries()) send(`gone ${n}`, heavy(1_000), sender);
    for (const { raw } of gone) raw.socket.destroyed = true;
    send('honest', heavy(1_000));
    await clock.advance(1_000);
    expect(read).toEqual(['first', 'honest']);
  });
});
