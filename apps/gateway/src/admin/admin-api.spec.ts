import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@adapters/clock.system';
import { UlidIds } from '@adapters/ids.ulid';
import { ProjectionsModule } from '@application/projections/projections.module';
import { ListsModule } from '@application/projections/lists.module';
import { ApiKeys } from '@application/projects/api-keys';
import { FirstStart, type Announcement } from '@application/projects/first-start';
import { Shutdown } from '@application/shutdown';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { Settings } from '@ports/settings.port';
import { fakeSettings } from '@testing/fake-settings';
import { QuickPasswords } from '@testing/quick-passwords';
import { HttpModule, surround } from '../http/http.module.js';
import { newFastify } from '../http/new-fastify.js';
import { AdminHttpModule } from './admin-http.module.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PASSWORD = 'correct horse battery';

/** The time of this machine, and as much later as a test wants. */
class LaterClock extends SystemClock {
  private later = 0;

  override now(): number {
    return super.now() + this.later;
  }

  pass(ms: number): void {
    this.later += ms;
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: any;
}

let clock: LaterClock;
let directory: string;
let app: NestFastifyApplication;
let made: Announcement | null;
let token: string;

async function start(): Promise<void> {
  const ids = new UlidIds(clock);
  const provided = [
    { provide: Clock, useValue: clock },
    { provide: Ids, useValue: ids },
    { provide: Secrets, useValue: new QuickPasswords(new Uint8Array(32).fill(3)) },
    { provide: Settings, useValue: fakeSettings() },
    { provide: Logger, useValue: new Logger('silent') },
    { provide: Metrics, useValue: new Metrics() },
    { provide: Shutdown, useValue: new Shutdown() },
  ];
  @Global()
  @Module({ providers: provided, exports: provided.map(({ provide }) => provide) })
  class Surroundings {}
  const testing = await Test.createTestingModule({
    imports: [
      Surroundings,
      CqrsModule.forRoot(),
      EmbeddedEngineModule.forRoot({ directory }),
      ProjectionsModule.forRoot({ reactors: [], sweepers: [] }),
      ListsModule,
      HttpModule,
      AdminHttpModule,
    ],
  }).compile();
  app = testing.createNestApplication<NestFastifyApplication>(newFastify(), { bodyParser: false, logger: false });
  surround(app);
  await app.init();
  made = null;
  await app.get(FirstStart).run({ apiKey: null, adminPassword: PASSWORD }, (announcement) => void (made = announcement));
}

async function stop(): Promise<void> {
  const engine = app.get(Engine);
  await app.close();
  await engine.close();
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await app.inject({
    method: method as 'GET',
    url: `/admin/v1${path}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const admin = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(method, path, body, { authorization: `Bearer ${token}`, ...headers });

const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.code];
const login = (password: string) => send('POST', '/login', { password });
const authenticate = (secret: string) => app.get(ApiKeys).authenticate(secret);

async function newKey(projectId: string, more: object = {}): Promise<any> {
  const { status, body } = await admin('POST', `/projects/${projectId}/api_keys`, { name: 'key', ...more });
  expect(status).toBe(201);
  return body;
}

beforeEach(async () => {
  clock = new LaterClock();
  directory = mkdtempSync(join(tmpdir(), 'admin-api-'));
  await start();
  token = (await login(PASSWORD)).body.token;
});

afterEach(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('logging in', () => {
  it('opens a session and sets its cookie', async () => {
    const { status, headers, body } = await login(PASSWORD);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['object', 'token', 'csrf_token', 'expires_at']);
    expect(body).toMatchObject({ object: 'admin_session', token: expect.stringMatching(/^adm_/) });
    expect(headers['set-cookie']).toBe(
      `__Host-admin_session=${body.token}; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(headers['request-id']).toMatch(/^req_/);
  });

  it('is refused with a wrong password, and with none', async () => {
    expect(errorOf(await login('wrong'))).toEqual([401, 'authentication_error', 'admin_password_invalid']);
    expect(errorOf(await send('POST', '/login', {}))).toEqual([400, 'invalid_request_error', 'parameter_missing']);
    expect(errorOf(await send('POST', '/login', { password: 5 }))).toEqual([400, 'invalid_request_error', 'parameter_invalid']);
  });

  it('is locked after five wrong passwords for right ones too, until fifteen minutes are over', async () => {
    for (let time = 0; time < 5; time++) expect((await login('wrong')).status).toBe(401);
    const locked = await login(PASSWORD);
    expect(errorOf(locked)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(890);
    await stop();
    await start();
    expect((await login(PASSWORD)).status).toBe(429);
    clock.pass(15 * MINUTE);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('lasts twelve hours and outlives a restart', async () => {
    await stop();
    await start();
    expect(made).toBeNull();
    expect((await admin('GET', '/session')).status).toBe(200);
    clock.pass(12 * HOUR);
    expect(errorOf(await admin('GET', '/session'))).toEqual([401, 'authentication_error', 'admin_session_invalid']);
  });

  it('ends by logging out', async () => {
    const answer = await admin('POST', '/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(/^__Host-admin_session=; .*Max-Age=0/);
    expect((await admin('GET', '/projects')).status).toBe(401);
  });

  it('repeated under one key is one session', async () => {
    const headers = { 'idempotency-key': 'login-1' };
    const first = await send('POST', '/login', { password: PASSWORD }, headers);
    const again = await send('POST', '/login', { password: PASSWORD }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('a request to the admin API', () => {
  const SESSION_NEEDED = [401, 'authentication_error', 'admin_session_invalid'];

  it('needs a session that exists', async () => {
    const asKey = { authorization: `Bearer ${made?.apiKey}` };
    expect(errorOf(await send('GET', '/projects'))).toEqual(SESSION_NEEDED);
    expect(errorOf(await send('GET', '/projects', undefined, { authorization: 'Bearer adm_unknown' }))).toEqual(SESSION_NEEDED);
    expect(errorOf(await send('GET', '/projects', undefined, asKey))).toEqual(SESSION_NEEDED);
    expect(errorOf(await send('POST', '/logout', undefined, { cookie: 'admin_session=x' }))).toEqual(SESSION_NEEDED);
  });

  it('needs it however its path is spelled', async () => {
    for (const url of [
      '/%61dmin/v1/projects',
      '/admin/%761/projects',
      '/admin/v1/%70rojects',
      '//admin/v1/projects',
      '/ADMIN/v1/projects',
    ]) {
      const { statusCode } = await app.inject({ url });
      expect([url, statusCode === 401 || statusCode === 404]).toEqual([url, true]);
    }
  });

  it('opens nothing under /v1', async () => {
    const answer = await app.inject({ url: '/v1/conversations', headers: { authorization: `Bearer ${token}` } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'api_key_invalid']);
  });

  it('by cookie needs the CSRF token on everything but GET', async () => {
    const { body: session } = await login(PASSWORD);
    const cookie = `theme=dark; __Host-admin_session=${session.token}`;
    const named = { name: 'by cookie' };
    expect((await send('GET', '/projects', undefined, { cookie })).status).toBe(200);
    const csrf = [403, 'permission_error', 'csrf_token_invalid'];
    expect(errorOf(await send('POST', '/projects', named, { cookie }))).toEqual(csrf);
    expect(errorOf(await send('POST', '/projects', named, { cookie, 'x-csrf-token': 'wrong' }))).toEqual(csrf);
    const other = (await login(PASSWORD)).body.csrf_token;
    expect(errorOf(await send('POST', '/projects', named, { cookie, 'x-csrf-token': other }))).toEqual(csrf);
    const shown = await send('GET', '/session', undefined, { cookie });
    expect(shown.body).toEqual({ object: 'admin_session', csrf_token: session.csrf_token, expires_at: session.expires_at });
    const created = await send('POST', '/projects', named, { cookie, 'x-csrf-token': session.csrf_token });
    expect(created.status).toBe(201);
  });

  it('with a bad Authorization header is not saved by a good cookie', async () => {
    const headers = { cookie: `__Host-admin_session=${token}`, authorization: 'Bearer adm_wrong' };
    expect(errorOf(await send('GET', '/projects', undefined, headers))).toEqual(SESSION_NEEDED);
  });

  it('gets the envelope for unknown routes and wrong methods', async () => {
    expect(errorOf(await admin('GET', '/nothing'))).toEqual([404, 'invalid_request_error', 'route_not_found']);
    expect(errorOf(await admin('DELETE', '/projects'))).toEqual([405, 'invalid_request_error', 'method_not_allowed']);
  });
});

describe('the password', () => {
  const change = (current_password: string, new_password: string) =>
    admin('POST', '/password', { current_password, new_password });

  it('changed ends every other session', async () => {
    const { body: other } = await login(PASSWORD);
    expect((await change(PASSWORD, 'twelve chars')).status).toBe(200);
    expect((await admin('GET', '/session')).status).toBe(200);
    expect((await send('GET', '/session', undefined, { authorization: `Bearer ${other.token}` })).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login('twelve chars')).status).toBe(200);
  });

  it('has at least twelve characters, an emoji being one', async () => {
    const refusal = await change(PASSWORD, 'eleven char');
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'parameter_invalid']);
    expect(refusal.body.error.param).toBe('new_password');
    expect((await change(PASSWORD, '🔑'.repeat(11))).status).toBe(400);
    expect((await change(PASSWORD, '🔑'.repeat(12))).status).toBe(200);
  });

  it('stays when the present one is wrong', async () => {
    const refusal = await change('wrong', 'twelve chars');
    expect(errorOf(refusal)).toEqual([401, 'authentication_error', 'admin_password_invalid']);
    expect((await login(PASSWORD)).status).toBe(200);
  });
});

describe('projects', () => {
  it('are created, shown, listed and changed', async () => {
    const created = await admin('POST', '/projects', { name: 'dental' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^prj_[0-9A-Z]{26}$/),
      object: 'project',
      name: 'dental',
      reply_window_ms: 30_000,
      agent: { instructions: null },
      rate_limits: { read: 100, write: 100, messages: 25 },
      created_at: expect.stringMatching(/Z$/),
      updated_at: created.body.created_at,
    });
    const path = `/projects/${created.body.id}`;
    expect((await admin('GET', path)).body).toEqual(created.body);
    const changes = { reply_window_ms: 5_000, agent: { instructions: 'Be kind.' }, rate_limits: { messages: 0 } };
    const changed = await admin('PATCH', path, changes);
    expect(changed.body).toMatchObject({ ...changes, name: 'dental', rate_limits: { read: 100, write: 100, messages: 0 } });
    const list = await admin('GET', '/projects');
    expect(list.body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['dental', 'default']);
    expect(list.body.data[0]).toEqual(changed.body);
  });

  it('follow the operator again where null is sent', async () => {
    const path = `/projects/${made?.projectId}`;
    await admin('PATCH', path, { reply_window_ms: 5_000, rate_limits: { read: 1 }, agent: { instructions: 'x' } });
    const { body } = await admin('PATCH', path, {
      reply_window_ms: null,
      rate_limits: { read: null },
      agent: { instructions: null },
    });
    expect(body).toMatchObject({ reply_window_ms: 30_000, rate_limits: { read: 100 }, agent: { instructions: null } });
  });

  it.each([
    [{ reply_window_ms: 999 }, 'parameter_invalid', 'reply_window_ms'],
    [{ reply_window_ms: 110_001 }, 'parameter_invalid', 'reply_window_ms'],
    [{ reply_window_ms: '5000' }, 'parameter_invalid', 'reply_window_ms'],
    [{ agent: { instructions: 'x'.repeat(16_001) } }, 'parameter_too_long', 'instructions'],
    [{ agent: 'kind' }, 'parameter_invalid', 'agent'],
    [{ rate_limits: { read: -1 } }, 'parameter_invalid', 'read'],
    [{ rate_limits: { write: 1.5 } }, 'parameter_invalid', 'write'],
    [{ name: '' }, 'parameter_invalid', 'name'],
    [{ name: 'x'.repeat(256) }, 'parameter_too_long', 'name'],
  ])('refuse %j', async (changes, code, param) => {
    const refusal = await admin('PATCH', `/projects/${made?.projectId}`, changes);
    expect([refusal.status, refusal.body.error.code, refusal.body.error.param]).toEqual([400, code, param]);
  });

  it('take instructions of 16,000 characters', async () => {
    const instructions = '😀'.repeat(16_000);
    const { status, body } = await admin('PATCH', `/projects/${made?.projectId}`, { agent: { instructions } });
    expect([status, body.agent.instructions]).toEqual([200, instructions]);
  });

  it('unknown or malformed are missing', async () => {
    for (const id of ['prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0', 'default', made?.projectId.toLowerCase()]) {
      expect(errorOf(await admin('GET', `/projects/${id}`))).toEqual([404, 'invalid_request_error', 'resource_missing']);
      expect((await admin('PATCH', `/projects/${id}`, { name: 'x' })).status).toBe(404);
      expect((await admin('GET', `/projects/${id}/api_keys`)).status).toBe(404);
      expect((await admin('POST', `/projects/${id}/api_keys`, { name: 'x' })).status).toBe(404);
    }
  });

  it('are walked page by page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await admin('POST', '/projects', { name });
    const seen: string[] = [];
    let page = (await admin('GET', '/projects?limit=2')).body;
    for (;;) {
      seen.push(...page.data.map(({ name }: { name: string }) => name));
      if (!page.has_more) break;
      page = (await admin('GET', `/projects?limit=2&starting_after=${page.next_cursor}`)).body;
    }
    expect(seen).toEqual(['d', 'c', 'b', 'a', 'default']);
  });

  it('under an idempotency key are created once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await admin('POST', '/projects', { name: 'one' }, headers);
    const again = await admin('POST', '/projects', { name: 'one' }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(errorOf(await admin('POST', '/projects', { name: 'two' }, headers))).toEqual([
      422,
      'idempotency_error',
      'idempotency_key_reused',
    ]);
  });
});

describe('API keys', () => {
  let projectId: string;
  const path = (key: { id: string }) => `/projects/${projectId}/api_keys/${key.id}`;
  beforeEach(() => (projectId = made?.projectId ?? ''));

  it('are issued with their secret, told once', async () => {
    const issued = await newKey(projectId, { scopes: ['events:read', 'agent', 'agent'] });
    expect(issued).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      object: 'api_key',
      project_id: projectId,
      name: 'key',
      prefix: issued.secret.slice(0, 7),
      scopes: ['events:read', 'agent'],
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
      secret: expect.stringMatching(/^sk_[0-9A-Za-z]{36}$/),
    });
    expect(await authenticate(issued.secret)).toMatchObject({ projectId, scopes: ['events:read', 'agent'] });
    const { body } = await admin('GET', `/projects/${projectId}/api_keys`);
    expect(body.data).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(issued.secret);
    expect(body.data[0]).toMatchObject({ id: issued.id, last_used_at: expect.stringMatching(/Z$/) });
  });

  it('have every scope unless told otherwise', async () => {
    expect((await newKey(projectId)).scopes).toHaveLength(10);
    expect((await newKey(projectId, { scopes: null })).scopes).toHaveLength(10);
  });

  it('issued under an idempotency key are one key with one secret', async () => {
    const headers = { 'idempotency-key': 'key-once' };
    const first = await admin('POST', `/projects/${projectId}/api_keys`, { name: 'k' }, headers);
    const again = await admin('POST', `/projects/${projectId}/api_keys`, { name: 'k' }, headers);
    expect(again.body).toEqual(first.body);
    await authenticate(again.body.secret);
  });

  it.each([
    [{}, 'parameter_missing', 'name'],
    [{ name: 'k', scopes: [] }, 'parameter_invalid', 'scopes'],
    [{ name: 'k', scopes: ['everything'] }, 'parameter_invalid', 'scopes'],
    [{ name: 'k', scopes: 'agent' }, 'parameter_invalid', 'scopes'],
    [{ name: 'k', expires_at: 'tomorrow' }, 'parameter_invalid', 'expires_at'],
    [{ name: 'k', expires_at: '2026-02-30T00:00:00Z' }, 'parameter_invalid', 'expires_at'],
  ])('asked for with %j are refused', async (body, code, param) => {
    const refusal = await admin('POST', `/projects/${projectId}/api_keys`, body);
    expect([refusal.status, refusal.body.error.code, refusal.body.error.param]).toEqual([400, code, param]);
  });

  it('change their name, scopes and expiry', async () => {
    const issued = await newKey(projectId);
    const expires_at = new Date(clock.now() + HOUR).toISOString();
    const { status, body } = await admin('PATCH', path(issued), { name: 'phone', scopes: ['agent'], expires_at });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'phone', scopes: ['agent'], expires_at, status: 'active' });
    expect(body).not.toHaveProperty('secret');
    clock.pass(HOUR);
    await expect(authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    expect((await admin('PATCH', path(issued), { expires_at: null })).body).toMatchObject({ expires_at: null, status: 'active' });
    await authenticate(issued.secret);
  });

  it('are revoked at once, and only once', async () => {
    const issued = await newKey(projectId);
    await authenticate(issued.secret);
    const revoked = await admin('DELETE', path(issued));
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    await expect(authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect((await admin('DELETE', path(issued))).body).toEqual(revoked.body);
    expect((await admin('PATCH', path(issued), { name: 'x' })).status).toBe(404);
    expect((await admin('POST', `${path(issued)}/rotate`)).status).toBe(404);
  });

  it('rotate: the old one works until its grace is over', async () => {
    const issued = await newKey(projectId, { scopes: ['agent'] });
    const rotated = await admin('POST', `${path(issued)}/rotate`, { grace_period_seconds: 60 });
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      name: 'key',
      scopes: ['agent'],
      expires_at: null,
      secret: expect.stringMatching(/^sk_/),
    });
    expect(rotated.body.id).not.toBe(issued.id);
    await authenticate(issued.secret);
    await authenticate(rotated.body.secret);
    clock.pass(MINUTE);
    await expect(authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    await authenticate(rotated.body.secret);
  });

  it('rotate with a day of grace unless told otherwise, and with none at once', async () => {
    const [one, two] = [await newKey(projectId), await newKey(projectId)];
    await admin('POST', `${path(one)}/rotate`);
    const before = clock.now();
    const { data } = (await admin('GET', `/projects/${projectId}/api_keys`)).body;
    const old = data.find(({ id }: { id: string }) => id === one.id);
    expect(Math.abs(Date.parse(old.expires_at) - before - 24 * HOUR)).toBeLessThan(MINUTE);
    await admin('POST', `${path(two)}/rotate`, { grace_period_seconds: 0 });
    await expect(authenticate(two.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    expect((await admin('POST', `${path(one)}/rotate`, { grace_period_seconds: -1 })).status).toBe(400);
  });

  it('of another project are missing', async () => {
    const other = (await admin('POST', '/projects', { name: 'other' })).body;
    const foreign = await newKey(other.id);
    for (const [method, end] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      expect(errorOf(await admin(method, path(foreign) + end, method === 'DELETE' ? undefined : {}))).toEqual([
        404,
        'invalid_request_error',
        'resource_missing',
      ]);
    }
  });

  it('are at most fifty', async () => {
    for (let count = 1; count < 50; count++) await newKey(projectId);
    const refusal = await admin('POST', `/projects/${projectId}/api_keys`, { name: 'one too many' });
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'limit_exceeded']);
    const first = (await admin('GET', `/projects/${projectId}/api_keys?limit=30`)).body;
    const rest = (await admin('GET', `/projects/${projectId}/api_keys?limit=30&starting_after=${first.next_cursor}`)).body;
    expect([first.data.length, first.has_more, rest.data.length, rest.has_more]).toEqual([30, true, 20, false]);
    const byId = await admin('GET', `/projects/${projectId}/api_keys?limit=30&starting_after=${first.data.at(-1).id}`);
    expect(byId.body.data).toEqual(rest.data);
  });
});

describe('projections', () => {
  it('are listed and built anew on request', async () => {
    const { body } = await admin('GET', '/projections');
    expect(body).toMatchObject({ object: 'list', has_more: false });
    expect(body.data.map(({ name }: { name: string }) => name)).toContain('projects');
    const rebuild = await admin('POST', '/projections/projects/rebuild');
    expect([rebuild.status, rebuild.body.name]).toEqual([202, 'projects']);
    expect(rebuild.body.rebuild.state).toMatch(/running|done/);
    expect(errorOf(await admin('POST', '/projections/songs/rebuild'))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
    ]);
  });
});
