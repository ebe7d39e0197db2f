import { StoreUnavailable, EventStore } from '@ports/event-store.port';
import { wholeLog } from '@testing/cause-chain';
import { AdminWorld, errorOf, PASSWORD, type Answer } from './admin-world.js';

const DAY = 24 * 3_600_000;

let world: AdminWorld;
let sessionId: string;
beforeEach(async () => {
  world = await AdminWorld.open();
  sessionId = (await world.admin('GET', '/session')).body.id;
});
afterEach(() => world.close());

/** Newest first. */
const entries = async (query = ''): Promise<readonly Answer['body'][]> =>
  (await world.admin('GET', `/audit_log${query}`)).body.data;
const last = async () => (await entries('?limit=1'))[0];

describe('the audit log', () => {
  it('has an entry for a change, with its session, project, subject and address', async () => {
    await world.admin('PATCH', `/projects/${world.projectId}`, { name: 'Salon' });
    expect(await last()).toEqual({
      id: expect.stringMatching(/^aud_/),
      object: 'audit_entry',
      at: expect.any(String),
      session_id: sessionId,
      action: 'PATCH /admin/v1/projects/{id}',
      project_id: world.projectId,
      subject: { object: 'project', id: world.projectId },
      address: '127.0.0.1',
      status: 200,
      code: null,
    });
  });

  it('names what a request made, and what a request about that names', async () => {
    const { body: project } = await world.admin('POST', '/projects', { name: 'Salon' });
    expect(await last()).toMatchObject({ status: 201, project_id: project.id, subject: { object: 'project', id: project.id } });
    const key = await world.newKey(project.id);
    const subject = { object: 'api_key', id: key.id };
    expect(await last()).toMatchObject({ action: 'POST /admin/v1/projects/{id}/api_keys', project_id: project.id, subject });
    await world.admin('DELETE', `/projects/${project.id}/api_keys/${key.id}`);
    expect(await last()).toMatchObject({ action: 'DELETE /admin/v1/projects/{id}/api_keys/{key_id}', status: 200, subject });
    await world.admin('POST', '/password', { current_password: PASSWORD, new_password: 'twelve chars' });
    expect(await last()).toMatchObject({ action: 'POST /admin/v1/password', status: 200, project_id: null, subject: null });
  });

  it('has logins, the session that each opened, wrong passwords and the lock-out', async () => {
    const { body } = await world.login(PASSWORD);
    const opened = { action: 'POST /admin/v1/login', session_id: body.id, subject: { object: 'admin_session', id: body.id } };
    expect(await last()).toMatchObject({ ...opened, status: 200, code: null });
    for (let time = 0; time < 6; time++) await world.login('wrong');
    const wrong = [401, 'admin_password_invalid', null, null];
    expect((await entries('?limit=6')).map((entry) => [entry.status, entry.code, entry.session_id, entry.subject])).toEqual([
      [429, 'rate_limit_exceeded', null, null],
      ...Array.from({ length: 5 }, () => wrong),
    ]);
  });

  it('has refusals of every kind, by route and never by path', async () => {
    const secret = 'adm_secret-in-a-path';
    const refused = [
      [await world.send('POST', '/projects', { name: 'x' }), 'POST /admin/v1/projects', 401, 'admin_session_invalid'],
      [await world.admin('POST', `/${secret}`), 'POST unrouted', 404, 'route_not_found'],
      [await world.admin('PUT', '/projects'), 'PUT unrouted', 405, 'method_not_allowed'],
      [await world.admin('PATCH', `/projects/${secret}`, {}), 'PATCH /admin/v1/projects/{id}', 404, 'resource_missing'],
      [await world.admin('POST', '/projects', {}), 'POST /admin/v1/projects', 400, 'parameter_missing'],
      [await byCookie({}), 'POST /admin/v1/projects', 403, 'csrf_token_invalid'],
      [await byCookie({ origin: 'https://evil.example' }), 'POST /admin/v1/projects', 403, 'csrf_token_invalid'],
    ] as const;
    const found = (await entries()).slice(0, refused.length).toReversed();
    expect(found.map(({ action, status, code }) => [action, status, code])).toEqual(refused.map(([, ...rest]) => rest));
    expect(found.map((entry) => entry.session_id)).toEqual([null, ...Array(5).fill(sessionId), null]);
    expect(JSON.stringify(await wholeLog(world.app.get(EventStore)))).not.toContain(secret);
  });

  it('has no entry for a GET', async () => {
    const before = await entries();
    await world.admin('GET', '/projects');
    await world.admin('GET', '/nothing');
    expect(await entries()).toEqual(before);
  });

  it('has one entry for each request under a key, replayed or not', async () => {
    const create = () => world.admin('POST', '/projects', { name: 'Salon' }, { 'idempotency-key': 'one' });
    const [{ body }] = [await create(), await create()];
    expect((await entries(`?subject_id=${body.id}`)).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is filtered by session, project, subject and time, a page at a time', async () => {
    await world.admin('PATCH', `/projects/${world.projectId}`, { name: 'one' });
    const other = (await world.login(PASSWORD)).body;
    const asOther = { authorization: `Bearer ${other.token}` };
    const { body: made } = await world.send('POST', '/projects', { name: 'two' }, asOther);
    expect((await entries(`?session_id=${other.id}`)).map(({ action }) => action)).toEqual([
      'POST /admin/v1/projects',
      'POST /admin/v1/login',
    ]);
    expect(await entries(`?project_id=${world.projectId}&session_id=${other.id}`)).toEqual([]);
    expect(await entries(`?project_id=${world.projectId}`)).toHaveLength(1);
    expect(await entries(`?subject_id=${made.id}`)).toHaveLength(1);
    expect(await entries(`?created_at[gt]=${new Date(world.clock.now() + 1_000).toISOString()}`)).toEqual([]);
    const page = (await world.admin('GET', '/audit_log?limit=2')).body;
    expect([page.data.length, page.has_more]).toEqual([2, true]);
    const next = (await world.admin('GET', `/audit_log?limit=2&starting_after=${page.next_cursor}`)).body;
    expect([...page.data, ...next.data]).toEqual((await entries()).slice(0, 4));
    const wrong = await world.admin('GET', '/audit_log?session_id=sess_1');
    expect(errorOf(wrong)).toEqual([400, 'invalid_request_error', 'parameter_invalid']);
  });

  it('survives a restart, and shows ninety days', async () => {
    await world.admin('PATCH', `/projects/${world.projectId}`, { name: 'Salon' });
    const entry = await last();
    await world.restart();
    expect(await entries()).toContainEqual(entry);
    world.clock.pass(90 * DAY - 60_000);
    world.token = (await world.login(PASSWORD)).body.token;
    expect(await entries()).toContainEqual(entry);
    world.clock.pass(120_000);
    expect(await entries()).not.toContainEqual(entry);
  });
});

describe('a request that cannot be recorded', () => {
  beforeEach(() => {
    const store = world.app.get(EventStore);
    const append = store.append.bind(store);
    store.append = (stream, ...rest) =>
      stream.startsWith('audit-') ? Promise.reject(new StoreUnavailable('the disk is full')) : append(stream, ...rest);
  });

  it.each([
    ['change', () => world.admin('PATCH', `/projects/${world.projectId}`, { name: 'Salon' })],
    ['change under a key', () => world.admin('POST', '/projects', { name: 'Salon' }, { 'idempotency-key': 'one' })],
    ['refused request', () => world.admin('POST', '/projects', {})],
  ])('is answered 503, a %s', async (_, send) =>
    expect(errorOf(await send())).toEqual([503, 'api_error', 'service_unavailable']),
  );

  it('opens no session', async () => {
    const { status, headers, body } = await world.login(PASSWORD);
    expect([status, headers['set-cookie'], body.token]).toEqual([503, undefined, undefined]);
  });
});

describe('requests without a session', () => {
  it('have no more entries than the disk bears, but wrong passwords always have', async () => {
    const refuse = () => world.send('POST', '/logout');
    const refused = await Promise.all(Array.from({ length: 620 }, refuse));
    expect(refused.filter(({ status }) => status !== 401)).toEqual([]);
    await world.login('wrong');
    await world.admin('PATCH', `/projects/${world.projectId}`, { name: 'Salon' });
    const log = (await wholeLog(world.app.get(EventStore))).map(({ event }) => event as { code?: string; action?: string });
    const refusals = log.filter(({ code }) => code === 'admin_session_invalid');
    expect(refusals.length).toBeGreaterThanOrEqual(600);
    expect(refusals.length).toBeLessThan(620);
    const [renamed, wrong] = await entries('?limit=2');
    expect([renamed.action, wrong.code]).toEqual(['PATCH /admin/v1/projects/{id}', 'admin_password_invalid']);
  });
});

function byCookie(headers: Record<string, string>) {
  return world.send('POST', '/projects', { name: 'x' }, { cookie: `__Host-admin_session=${world.token}`, ...headers });
}
