import type { FastifyRequest } from 'fastify';
import { FakeClock } from '@testing/fake-clock';
import type { Shutdown } from '@application/runtime/shutdown';
import { LIGHT_BODY_BYTES } from './body-share.js';
import { BodyShares } from './body-shares.js';

const clock = new FakeClock();
const running = { begun: new AbortController().signal } as unknown as Shutdown;
const heavy = Buffer.concat([Buffer.alloc(200_000, ','), Buffer.alloc(LIGHT_BODY_BYTES, '1')]);
const from = (projectId: string | null, destroyed = false) =>
  ({ caller: projectId === null ? null : { projectId }, raw: { socket: { destroyed } } }) as unknown as FastifyRequest & {
    raw: { socket: { destroyed: boolean } };
  };

describe('the bodies of those who are gone', () => {
  it('are paid for by nobody', async () => {
    const shares = new BodyShares(clock, running);
    const told: unknown[] = [];
    const tell = (name: string) => (error: Error | null) => void told.push(error === null ? name : `${name} refused`);
    shares.enter(from('prj_1'), heavy, tell('first'));
    const gone = Array.from({ length: 60 }, () => from('prj_1'));
    for (const one of gone) shares.enter(one, heavy, () => undefined);
    for (const one of gone) one.raw.socket.destroyed = true;
    shares.enter(from('prj_1'), heavy, tell('honest'));
    await clock.advance(1_000);
    expect(told).toEqual(['first', 'honest']);
  });
});

describe('the bodies of projects', () => {
  it('wait for none of another project, are refused with 429 where too many wait, and not read for whoever left', async () => {
    const shares = new BodyShares(clock, running);
    const told: string[] = [];
    const enter = (who: FastifyRequest, name: string) =>
      shares.enter(who, heavy, (error) => void told.push(`${name} ${(error as { code?: string } | null)?.code ?? 'read'}`));
    enter(from('prj_1'), 'a1');
    const leaving = from('prj_1');
    enter(leaving, 'a2');
    enter(from('prj_2'), 'b1');
    enter(from(null), 'n1');
    expect(told).toEqual(['a1 read', 'b1 read', 'n1 read']);
    (leaving.raw.socket as { destroyed: boolean }).destroyed = true;
    await clock.advance(1_000);
    expect(told.at(-1)).toBe('a2 rate_limit_exceeded');
    for (let n = 0; n < 66; n++) enter(from('prj_3'), `c${n}`);
    expect(told.at(-1)).toBe('c65 rate_limit_exceeded');
  });
});

it('bodies are read at once when the process ends', async () => {
  const ending = new AbortController();
  const shares = new BodyShares(clock, { begun: ending.signal } as unknown as Shutdown);
  const read: number[] = [];
  for (let n = 0; n < 5; n++) shares.enter(from('prj_1'), heavy, () => void read.push(n));
  ending.abort();
  await clock.advance(1_000);
  expect(read).toEqual([0, 1, 2, 3, 4]);
});
