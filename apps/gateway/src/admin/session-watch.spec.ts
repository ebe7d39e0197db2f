import type { AdminSessions } from '@application/admin/admin-sessions';
import { DomainError } from '@domain/kernel/domain-error';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { SessionWatch } from './session-watch.js';

let clock: FakeClock;
let found: string[];
let failure: Error | null;
let watch: SessionWatch;
let ended: string[];

beforeEach(() => {
  [clock, found, failure, ended] = [new FakeClock(), [], null, []];
  const find = (token: string) => {
    found.push(token);
    return failure ? Promise.reject(failure) : Promise.resolve({});
  };
  watch = new SessionWatch({ find } as unknown as AdminSessions, clock);
});

const over = new DomainError('admin_session_invalid', 'Log in first.');
const seeing = (token: string, name = token) => watch.watch(token, () => ended.push(name));

describe('a watched session', () => {
  it('is looked at once for all who watch it, and by nobody without any', async () => {
    const leaves = [seeing('one', 'a'), seeing('one', 'b'), seeing('two')];
    await clock.advance(3_000);
    expect(found).toEqual(['one', 'two']);
    for (const leave of leaves) leave();
    await clock.advance(60_000);
    expect([found.length, clock.pending]).toEqual([2, 0]);
  });

  it('tells everybody once within five seconds of its end', async () => {
    seeing('one', 'a');
    seeing('one', 'b');
    await clock.advance(2_000);
    failure = over;
    await clock.advance(5_000);
    expect(ended).toEqual(['a', 'b']);
    await clock.advance(60_000);
    expect(ended).toEqual(['a', 'b']);
  });

  it('goes on while the store does not answer', async () => {
    failure = new StoreUnavailable('away');
    seeing('one');
    await clock.advance(60_000);
    expect(ended).toEqual([]);
  });

  it('tells nobody who has left', async () => {
    const leave = seeing('one', 'left');
    seeing('one', 'there');
    leave();
    failure = over;
    await clock.advance(3_000);
    expect(ended).toEqual(['there']);
  });
});
