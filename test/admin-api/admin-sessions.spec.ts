import { AdminWorld, errorOf, HOUR, MINUTE, PASSWORD } from './admin-world.js';

let world: AdminWorld;

beforeEach(async () => {
  world = await AdminWorld.open();
});

afterEach(() => world.close());

/** A request under the one key of these tests, by the administrator. */
const keyed = (path: string, body: object) => world.admin('POST', path, body, { 'idempotency-key': 'key-1' });

describe('logging in', () => {
  it('opens a session and sets its cookie', async () => {
    const { status, headers, body } = await world.login(PASSWORD);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['id', 'object', 'token', 'csrf_token', 'expires_at']);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^ases_/),
      object: 'admin_session',
      token: expect.stringMatching(/^adm_/),
    });
    expect(headers['set-cookie']).toBe(
      `__Host-admin_session=${body.token}; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(headers['request-id']).toMatch(/^req_/);
  });

  it('is refused with a wrong password, and with none', async () => {
    expect(errorOf(await world.login('wrong'))).toEqual([401, 'authentication_error', 'admin_password_invalid']);
    expect(errorOf(await world.send('POST', '/login', {}))).toEqual([400, 'invalid_request_error', 'parameter_missing']);
    expect(errorOf(await world.send('POST', '/login', { password: 5 }))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
    ]);
  });

  it('is locked after five wrong passwords for right ones too, until fifteen minutes are over', async () => {
    for (let time = 0; time < 5; time++) expect((await world.login('wrong')).status).toBe(401);
    const locked = await world.login(PASSWORD);
    expect(errorOf(locked)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(900);
    await world.restart();
    expect((await world.login(PASSWORD)).status).toBe(429);
    world.clock.pass(15 * MINUTE);
    expect((await world.login(PASSWORD)).status).toBe(200);
  });

  it('lasts twelve hours and outlives a restart', async () => {
    await world.restart();
    expect(world.made).toBeNull();
    expect((await world.admin('GET', '/session')).status).toBe(200);
    world.clock.pass(12 * HOUR);
    expect(errorOf(await world.admin('GET', '/session'))).toEqual([401, 'authentication_error', 'admin_session_invalid']);
  });

  it('ends by logging out', async () => {
    const answer = await world.admin('POST', '/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(/^__Host-admin_session=; .*Max-Age=0/);
    expect((await world.admin('GET', '/projects')).status).toBe(401);
  });

  it('under the same key twice is two sessions', async () => {
    const [first, again] = [await keyed('/login', { password: PASSWORD }), await keyed('/login', { password: PASSWORD })];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.token).not.toBe(first.body.token);
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('with a key that was refused is told so', async () => {
    const answer = await world.send('POST', '/login', { password: PASSWORD }, { 'idempotency-key': '' });
    expect(errorOf(answer)).toEqual([400, 'idempotency_error', 'idempotency_key_invalid']);
  });

  it('under a key with an old password is refused after the password has changed', async () => {
    await keyed('/login', { password: PASSWORD });
    await world.admin('POST', '/password', { current_password: PASSWORD, new_password: 'twelve chars' });
    expect((await keyed('/login', { password: PASSWORD })).status).toBe(401);
  });

  it('leaves neither token nor cookie in any file, nor does logging out, under keys too', async () => {
    const { body } = await keyed('/login', { password: PASSWORD });
    await world.send('POST', '/logout', {}, { authorization: `Bearer ${body.token}`, 'idempotency-key': 'key-2' });
    expect(world.files).not.toContain(body.token);
    expect(world.files).not.toContain('admin_session=');
  });

  it('under a key counts as a guess, told apart from the right password by nothing else', async () => {
    await keyed('/login', { password: PASSWORD });
    const guesses = await Promise.all(Array.from({ length: 6 }, (_, guess) => keyed('/login', { password: `wrong ${guess}` })));
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await keyed('/login', { password: PASSWORD })).status).toBe(429);
  });
});

describe('a request to the admin API', () => {
  const SESSION_NEEDED = [401, 'authentication_error', 'admin_session_invalid'];

  it('needs a session that exists', async () => {
    const asKey = { authorization: `Bearer ${world.made?.apiKey}` };
    expect(errorOf(await world.send('GET', '/projects'))).toEqual(SESSION_NEEDED);
    expect(errorOf(await world.send('GET', '/projects', undefined, { authorization: 'Bearer adm_unknown' }))).toEqual(
      SESSION_NEEDED,
    );
    expect(errorOf(await world.send('GET', '/projects', undefined, asKey))).toEqual(SESSION_NEEDED);
    expect(errorOf(await world.send('POST', '/logout', undefined, { cookie: 'admin_session=x' }))).toEqual(SESSION_NEEDED);
  });

  it('needs it however its path is spelled', async () => {
    for (const url of [
      '/%61dmin/v1/projects',
      '/admin/%761/projects',
      '/admin/v1/%70rojects',
      '//admin/v1/projects',
      '/ADMIN/v1/projects',
    ]) {
      const { statusCode } = await world.app.inject({ url });
      expect([url, statusCode === 401 || statusCode === 404]).toEqual([url, true]);
    }
  });

  it('opens nothing under /v1', async () => {
    const answer = await world.app.inject({ url: '/v1/conversations', headers: { authorization: `Bearer ${world.token}` } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'api_key_invalid']);
  });

  it('by cookie needs the CSRF token on everything but GET', async () => {
    const { body: session } = await world.login(PASSWORD);
    const cookie = `theme=dark; __Host-admin_session=${session.token}`;
    const named = { name: 'by cookie' };
    expect((await world.send('GET', '/projects', undefined, { cookie })).status).toBe(200);
    const csrf = [403, 'permission_error', 'csrf_token_invalid'];
    expect(errorOf(await world.send('POST', '/projects', named, { cookie }))).toEqual(csrf);
    expect(errorOf(await world.send('POST', '/projects', named, { cookie, 'x-csrf-token': 'wrong' }))).toEqual(csrf);
    const other = (await world.login(PASSWORD)).body.csrf_token;
    expect(errorOf(await world.send('POST', '/projects', named, { cookie, 'x-csrf-token': other }))).toEqual(csrf);
    const project = `/projects/${world.projectId}`;
    expect(errorOf(await world.send('PATCH', project, named, { cookie }))).toEqual(csrf);
    expect(errorOf(await world.send('DELETE', `${project}/api_keys/key_1`, undefined, { cookie }))).toEqual(csrf);
    const shown = await world.send('GET', '/session', undefined, { cookie });
    const { token: _, ...rest } = session;
    expect(shown.body).toEqual(rest);
    const created = await world.send('POST', '/projects', named, { cookie, 'x-csrf-token': session.csrf_token });
    expect(created.status).toBe(201);
  });

  it('by cookie is refused from the page of another origin, whatever its CSRF token', async () => {
    const { body: session } = await world.login(PASSWORD);
    const cookie = { cookie: `__Host-admin_session=${session.token}`, 'x-csrf-token': session.csrf_token };
    const create = (headers: object) =>
      world.send('POST', '/projects', { name: 'here' }, { ...cookie, host: 'admin.example:8443', ...headers });
    for (const origin of ['https://evil.example', 'https://admin.example', 'null', '']) {
      expect(errorOf(await create({ origin }))).toEqual([403, 'permission_error', 'csrf_token_invalid']);
    }
    for (const origin of ['https://admin.example:8443', 'http://Admin.example:8443']) {
      expect((await create({ origin })).status).toBe(201);
      expect((await create({ origin, host: 'ADMIN.example:8443' })).status).toBe(201);
    }
    const { status } = await world.admin('POST', '/projects', { name: 'script' }, { origin: 'https://evil.example' });
    expect(status).toBe(201);
  });

  it('is asked for its CSRF token after route, body and key were found sound', async () => {
    const cookie = `__Host-admin_session=${world.token}`;
    const send = async (method: string, path: string, headers: object = {}) =>
      errorOf(await world.send(method, path, {}, { cookie, ...headers })).slice(0, 3);
    expect(await send('POST', '/nothing')).toEqual([404, 'invalid_request_error', 'route_not_found']);
    expect(await send('DELETE', '/projects')).toEqual([405, 'invalid_request_error', 'method_not_allowed']);
    const typed = await send('POST', '/projects', { 'content-type': 'text/plain' });
    expect(typed).toEqual([415, 'invalid_request_error', 'content_type_unsupported']);
    const keyed = await send('POST', '/projects', { 'idempotency-key': '' });
    expect(keyed).toEqual([400, 'idempotency_error', 'idempotency_key_invalid']);
    expect(await send('POST', '/projects')).toEqual([403, 'permission_error', 'csrf_token_invalid']);
  });

  it('with a bad Authorization header is not saved by a good cookie', async () => {
    for (const authorization of ['Bearer adm_wrong', 'Basic YWRtaW46YQ==']) {
      const headers = { cookie: `__Host-admin_session=${world.token}`, authorization };
      expect(errorOf(await world.send('GET', '/projects', undefined, headers))).toEqual(SESSION_NEEDED);
    }
  });

  it('gets the envelope for unknown routes and wrong methods', async () => {
    expect(errorOf(await world.admin('GET', '/nothing'))).toEqual([404, 'invalid_request_error', 'route_not_found']);
    expect(errorOf(await world.admin('DELETE', '/projects'))).toEqual([405, 'invalid_request_error', 'method_not_allowed']);
  });
});
