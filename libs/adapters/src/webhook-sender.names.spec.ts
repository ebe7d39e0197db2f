import { FakeClock, settle } from '@testing/fake-clock';
import { resolvePromptly, type Resolve } from './webhook-sender.names.js';

const hanging: Resolve = () => new Promise(() => undefined);
const knowing =
  (...addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
const ignorant: Resolve = () => Promise.reject(new Error('unknown'));

describe('a name', () => {
  it('that the system keeps waiting for is asked of the servers', async () => {
    const clock = new FakeClock();
    const found = resolvePromptly(hanging, knowing('192.0.2.1'), clock)('a.example');
    await clock.advance(500);
    expect(await found).toEqual(['192.0.2.1']);
  });

  it('that the system knows in time is asked of nobody else', async () => {
    const clock = new FakeClock();
    const servers = jest.fn(hanging);
    expect(await resolvePromptly(knowing('192.0.2.2'), servers, clock)('a.example')).toEqual(['192.0.2.2']);
    await expect(resolvePromptly(ignorant, servers, clock)('b.example')).rejects.toThrow('unknown');
    expect(servers).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  it('that only the system knows is worth waiting for', async () => {
    const clock = new FakeClock();
    let tell: (addresses: readonly string[]) => void = () => undefined;
    const late: Resolve = () => new Promise((resolve) => (tell = resolve));
    const found = resolvePromptly(late, ignorant, clock)('inside.example');
    await clock.advance(500);
    await settle();
    tell(['192.0.2.3']);
    expect(await found).toEqual(['192.0.2.3']);
  });

  it('that nobody knows is known to nobody', async () => {
    const clock = new FakeClock();
    let give = (): void => undefined;
    const late: Resolve = () => new Promise((_, reject) => (give = () => reject(new Error('unknown'))));
    const found = resolvePromptly(late, ignorant, clock)('c.example');
    await clock.advance(500);
    give();
    await expect(found).rejects.toThrow(AggregateError);
  });
});
