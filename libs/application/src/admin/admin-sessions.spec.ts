import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { FakeIds } from '@testing/fake-ids';
import { QuickPasswords } from '@testing/quick-passwords';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { AdminPasswords } from './admin-passwords.js';
import { AdminSessions } from './admin-sessions.js';
import { ChangeAdminPasswordHandler, LogInHandler, LogOutHandler } from './admin.handlers.js';
import { LoginAttempts } from './login-attempts.js';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the administrator', () => {
  let clock: FakeClock;
  let store: FakeEventStore;
  let records: FakeExpiringRecords;
  let seed = 0;
  let here: ReturnType<typeof gateway>;

  /** A new gateway over the same store: a second one, or the first after a restart. */
  function gateway() {
    const ids = new FakeIds(clock, ++seed);
    const secrets = new QuickPasswords(new Uint8Array(32));
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    const passwords = new AdminPasswords(streams, new LoginAttempts(records, clock), secrets, ids, clock);
    const sessions = new AdminSessions(passwords, records, secrets, ids, clock);
    const logIn = new LogInHandler(passwords, sessions);
    return {
      passwords,
      sessions,
      logIn: (password = PASSWORD) => logIn.execute({ password } as never),
      logOut: (tokenHash: string) => new LogOutHandler(sessions).execute({ tokenHash } as never),
      change: (tokenHash: string, current: string, next: string, context = { isRetry: false, commandId: ids.uuid() }) =>
        new ChangeAdminPasswordHandler(passwords, sessions).execute({ context, tokenHash, current, next } as never),
    };
  }

  beforeEach(async () => {
    clock = new FakeClock();
    store = new FakeEventStore();
    records = new FakeExpiringRecords(clock);
    here = gateway();
    await here.passwords.set(PASSWORD, ENVELOPE);
  });

  const wrong = (times: number, who = here) => Promise.allSettled(Array.from({ length: times }, () => who.logIn('wrong')));
  const codes = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'opened'));
  const refused = (token: string | null) =>
    expect(gateway().sessions.find(token)).rejects.toMatchObject({ code: 'admin_session_invalid' });

  it('opens no session that is not on the disk', async () => {
    records.refusing = true;
    await expect(here.sessions.open(1)).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  it('opens a session that any gateway knows, also after a restart', async () => {
    const { token, tokenHash, id, csrfToken } = await here.logIn();
    expect(token).toMatch(/^adm_[0-9A-Za-z]{43}$/);
    const found = await gateway().sessions.find(token);
    expect(found).toEqual({ id, tokenHash, csrfToken, expiresAt: clock.now() + 12 * HOUR });
    expect(here.sessions.isCsrfToken(token, csrfToken)).toBe(true);
    expect(here.sessions.isCsrfToken(token, `${csrfToken}0`)).toBe(false);
  });

  it('has a session for twelve hours', async () => {
    const { token } = await here.logIn();
    await clock.advance(12 * HOUR - 1);
    await here.sessions.find(token);
    await clock.advance(1);
    await refused(token);
  });

  it('is nobody without a token that was given out', async () => {
    const { token } = await here.logIn();
    await refused(null);
    await refused('sk_key');
    await refused(`${token}0`);
  });

  it('ends a session by logging out, and no other', async () => {
    const [mine, other] = [await here.logIn(), await here.logIn()];
    await here.logOut(mine.tokenHash);
    await refused(mine.token);
    await here.sessions.find(other.token);
  });

  it('leaves neither token nor password behind', async () => {
    const { token, csrfToken } = await here.logIn();
    const everything = JSON.stringify([store.log, [...records.all]]);
    for (const secret of [token.slice(4), csrfToken, PASSWORD]) expect(everything).not.toContain(secret);
  });

  it('is refused with a wrong password', async () => {
    await expect(here.logIn('wrong')).rejects.toMatchObject({ code: 'admin_password_invalid' });
  });

  it('is locked out after five wrong passwords, with the right one too, until the first is fifteen minutes old', async () => {
    await wrong(1);
    await clock.advance(MINUTE);
    await wrong(4);
    const locked = { code: 'rate_limit_exceeded', details: { retryAfter: 14 * 60 } };
    await expect(here.logIn()).rejects.toMatchObject(locked);
    await expect(gateway().logIn('wrong')).rejects.toMatchObject(locked);
    await clock.advance(14 * MINUTE - 1);
    await expect(here.logIn()).rejects.toMatchObject({ details: { retryAfter: 1 } });
    await clock.advance(1);
    await here.logIn();
  });

  it('cannot outrun the lock with guesses sent together to several gateways', async () => {
    const results = await Promise.all([wrong(10), wrong(10, gateway()), wrong(10, gateway())]);
    const wronged = codes(results.flat()).filter((code) => code === 'admin_password_invalid');
    expect(wronged).toHaveLength(5);
  });

  it('may log in any number of times with the right password', async () => {
    await wrong(4);
    for (let time = 0; time < 10; time++) await here.logIn();
    expect(codes(await wrong(2))).toEqual(['admin_password_invalid', 'rate_limit_exceeded']);
  });

  it('ends every other session by a new password', async () => {
    const [mine, other] = [await here.logIn(), await here.logIn()];
    await here.change(mine.tokenHash, PASSWORD, 'a much better one');
    expect(await here.sessions.find(mine.token)).toMatchObject({ expiresAt: mine.expiresAt });
    await refused(other.token);
    await expect(here.logIn()).rejects.toMatchObject({ code: 'admin_password_invalid' });
    await here.logIn('a much better one');
  });

  it('sets a password by a request that runs again when nothing came of it before', async () => {
    const { tokenHash } = await here.logIn();
    await here.change(tokenHash, PASSWORD, 'a much better one', { isRetry: true, commandId: 'sets' });
    await here.logIn('a much better one');
    await expect(here.logIn()).rejects.toMatchObject({ code: 'admin_password_invalid' });
  });

  it('sets a password once by a request that runs again after it was changed back', async () => {
    const { tokenHash, id, token } = await here.logIn();
    const context = { isRetry: false, commandId: 'sets' };
    await here.change(tokenHash, PASSWORD, 'a much better one', context);
    await here.change(tokenHash, PASSWORD, 'a much better one', { ...context, isRetry: true });
    await here.change(tokenHash, 'a much better one', PASSWORD);
    await here.change(tokenHash, PASSWORD, 'a much better one', { ...context, isRetry: true });
    expect(await here.sessions.find(token)).toMatchObject({ id });
    await here.logIn();
  });

  it('keeps the password when the present one is wrong', async () => {
    const { tokenHash, token } = await here.logIn();
    await expect(here.change(tokenHash, 'wrong', 'a much better one')).rejects.toMatchObject({
      code: 'admin_password_invalid',
      details: { param: 'current_password' },
    });
    await here.sessions.find(token);
  });

  it('with a session has five guesses of its own, which nobody else uses up', async () => {
    const [mine, other] = [await here.logIn(), await here.logIn()];
    await wrong(6);
    const guesses = Array.from({ length: 6 }, () => here.change(mine.tokenHash, 'wrong', 'a much better one'));
    expect(codes(await Promise.allSettled(guesses)).slice(4)).toEqual(['admin_password_invalid', 'rate_limit_exceeded']);
    await here.change(other.tokenHash, PASSWORD, 'a much better one');
  });

  it('whose password is lost gets another one, which ends every session', async () => {
    const { token } = await here.logIn();
    const password = (await gateway().passwords.reset()) ?? '';
    expect(password).toMatch(/^[0-9A-Za-z]{24}$/);
    await refused(token);
    await expect(here.logIn()).rejects.toMatchObject({ code: 'admin_password_invalid' });
    await here.logIn(password);
  });

  it('is not kept out by earlier guesses once the password was reset', async () => {
    await wrong(6);
    const password = (await gateway().passwords.reset()) ?? '';
    expect(await here.logIn(password)).toMatchObject({ token: expect.stringMatching(/^adm_/) });
  });

  it('gets no password before the first start', async () => {
    store = new FakeEventStore();
    expect(await gateway().passwords.reset()).toBeNull();
    expect(store.log).toEqual([]);
  });

  it('may have the stored password compared, without a count of wrong ones', async () => {
    for (let time = 0; time < 10; time++) expect(await here.passwords.isStored('another')).toBe(false);
    expect(await here.passwords.isStored(PASSWORD)).toBe(true);
    await here.logIn();
  });

  it('keeps one of two passwords set at the same time', async () => {
    const { tokenHash } = await here.logIn();
    const there = gateway();
    const changes = Promise.allSettled([
      here.change(tokenHash, PASSWORD, 'first new one'),
      there.change(tokenHash, PASSWORD, 'second new one'),
    ]);
    await clock.advance(1_000);
    expect(codes(await changes).toSorted()).toEqual(['admin_password_invalid', 'opened']);
  });
});
