import { AdminWorld, errorOf, PASSWORD } from './admin-world.js';

let world: AdminWorld;

beforeEach(async () => {
  world = await AdminWorld.open();
});

afterEach(() => world.close());

/** A request under the one key of these tests, by the administrator. */
const keyed = (path: string, body: object) => world.admin('POST', path, body, { 'idempotency-key': 'key-1' });

describe('the password', () => {
  const change = (current_password: string, new_password: string) =>
    world.admin('POST', '/password', { current_password, new_password });

  it('changed ends every other session', async () => {
    const { body: other } = await world.login(PASSWORD);
    expect((await change(PASSWORD, 'twelve chars')).status).toBe(200);
    expect((await world.admin('GET', '/session')).status).toBe(200);
    expect((await world.send('GET', '/session', undefined, { authorization: `Bearer ${other.token}` })).status).toBe(401);
    expect((await world.login(PASSWORD)).status).toBe(401);
    expect((await world.login('twelve chars')).status).toBe(200);
  });

  it('has at least twelve characters, an emoji being one', async () => {
    const refusal = await change(PASSWORD, 'eleven char');
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'parameter_invalid']);
    expect(refusal.body.error.param).toBe('new_password');
    expect((await change(PASSWORD, '🔑'.repeat(11))).status).toBe(400);
    expect((await change(PASSWORD, '🔑'.repeat(12))).status).toBe(200);
  });

  it('has at most 1,024 characters, an emoji being one', async () => {
    const refusal = await change(PASSWORD, '🔑'.repeat(1_025));
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'parameter_too_long']);
    expect((await change(PASSWORD, '🔑'.repeat(1_024))).status).toBe(200);
  });

  it('stays when the present one is wrong', async () => {
    const refusal = await change('wrong', 'twelve chars');
    expect(errorOf(refusal)).toEqual([401, 'authentication_error', 'admin_password_invalid']);
    expect((await world.login(PASSWORD)).status).toBe(200);
  });

  it('is changed once under a key, and its repetition has the same answer', async () => {
    const change = { current_password: PASSWORD, new_password: 'twelve chars' };
    const changed = await keyed('/password', change);
    expect(changed.status).toBe(200);
    expect(await keyed('/password', change)).toMatchObject({ status: 200, body: changed.body });
    expect((await world.login('twelve chars')).status).toBe(200);
  });

  it('is asked for again under the key of a change that was refused', async () => {
    const change = { current_password: 'wrong', new_password: 'twelve chars' };
    for (let time = 0; time < 2; time++) {
      expect(errorOf(await keyed('/password', change))).toEqual([401, 'authentication_error', 'admin_password_invalid']);
    }
  });
});
