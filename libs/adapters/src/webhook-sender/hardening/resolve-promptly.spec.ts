import { FakeClock, settle } from '@testing/fake-clock';
import { type Addresses, type Resolve, resolvePromptly } from './resolve-promptly.js';

const WITHIN_MS = 15_000;
const hanging: Resolve = () => new Promise(() => undefined);
const knowing =
  (...addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve({ known: addresses });
const ignorant: Resolve = () => Promise.reject(new Error('unknown'));

describe('a name', () => {
  it('that the system keeps waiting for is asked of the servers', async () => {
    const clock = new FakeClock();
    const found = resolvePromptly(hanging, knowing('192.0.2.1'), clock, WITHIN_MS)('a.example', 'prj_1');
    await clock.advance(500);
    expect(await found).toEqual({ known: ['192.0.2.1'] });
  });

  it('that the system knows in time is asked of nobody else', async () => {
    const clock = new FakeClock();
    const servers = jest.fn(hanging);
    expect(await resolvePromptly(knowing('192.0.2.2'), servers, clock, WITHIN_MS)('a.example', 'prj_1')).toEqual({
      known: ['192.0.2.2'],
    });
    await expect(resolvePromptly(ignorant, servers, clock, WITHIN_MS)('b.example', 'prj_1')).rejects.toThrow('unknown');
    expect(servers).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  it('that only the system knows is worth waiting for', async () => {
    const clock = new FakeClock();
    let tell: (answer: Addresses) => void = () => undefined;
    const late: Resolve = () => new Promise((resolve) => (tell = resolve));
    const found = resolvePromptly(late, ignorant, clock, WITHIN_MS)('inside.example', 'prj_1');
    await clock.advance(500);
    await settle();
    tell({ known: ['192.0.2.3'] });
    expect(await found).toEqual({ known: ['192.0.2.3'] });
  });

  it('that nobody knows is known to nobody', async () => {
    const clock = new FakeClock();
    let give = (): void => undefined;
    const late: Resolve = () => new Promise((_, reject) => (give = () => reject(new Error('unknown'))));
    const found = resolvePromptly(late, ignorant, clock, WITHIN_MS)('c.example', 'prj_1');
    await clock.advance(500);
    give();
    await expect(found).rejects.toThrow(AggregateError);
  });

  it('that is waited for no longer is never asked of the system, and keeps nobody behind it', async () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const tell = new Map<string, (answer: Addresses) => void>();
    const bySystem: Resolve = (name) => {
      asked.push(name);
      return new Promise((resolve) => tell.set(name, resolve));
    };
    const resolve = resolvePromptly(
      bySystem,
      (name) => (name === 'known' ? Promise.resolve({ known: ['192.0.2.4'] }) : hanging(name, '')),
      clock,
      WITHIN_MS,
    );
    const begun = ['stuck 1', 'stuck 2'].map((name) => resolve(name, 'prj_1'));
    const failures: unknown[] = [];
    for (const name of ['late 1', 'late 2']) void resolve(name, 'prj_1').catch((error: unknown) => failures.push(error));
    const known = resolve('known', 'prj_1');
    await clock.advance(500);
    expect(await known).toEqual({ known: ['192.0.2.4'] });
    await clock.advance(WITHIN_MS);
    const next = resolve('next', 'prj_1');
    tell.get('stuck 1')?.({ known: ['192.0.2.5'] });
    await settle();
    tell.get('next')?.({ known: ['192.0.2.6'] });
    expect([await begun[0], await next]).toEqual([{ known: ['192.0.2.5'] }, { known: ['192.0.2.6'] }]);
    expect(asked).toEqual(['stuck 1', 'stuck 2', 'next']);
  });

  it('of one project waits for two of another at most', async () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const tell: (() => void)[] = [];
    const bySystem: Resolve = (name) => {
      asked.push(name);
      return new Promise((resolve) => tell.push(() => resolve({ known: ['192.0.2.7'] })));
    };
    const resolve = resolvePromptly(bySystem, hanging, clock, WITHIN_MS);
    const crowd = Array.from({ length: 20 }, (_, n) => resolve(`crowd ${n}`, 'prj_1'));
    const other = resolve('other', 'prj_2');
    for (let answers = 0; answers < 21; answers++) {
      await settle();
      tell[answers]?.();
    }
    await Promise.all([...crowd, other]);
    expect(asked.indexOf('other')).toBeLessThanOrEqual(3);
    expect(asked).toHaveLength(21);
    expect(clock.pending).toBe(0);
  });
});
