import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';

const PROJECTIONS = join(__dirname, '../../tools/projections.mjs');

const KEY_LINE = /API key\s+(sk_\S+)/;
const PASSWORD_LINE = /Admin password\s+(\S+)/;

/** Those of the texts that a service has stored as they are. */
async function storedAsTheyAre(service: App, texts: readonly string[]): Promise<readonly string[]> {
  const stored = await service.stored();
  return texts.filter((text) => stored.includes(text));
}

describe('the admin API of a running service', () => {
  let service: App;
  let firstKey: string;
  let password: string;
  let token: string;
  let projectId: string;
  const secrets: string[] = [];

  const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    service.as(token).send(method, `/admin/v1${path}`, body, headers);
  const list = (key: string) => service.as(key).get('/v1/conversations');
  const tryLogin = (text: string) => service.as(null).post('/admin/v1/login', { password: text });
  const keysPath = () => `/projects/${projectId}/api_keys`;

  async function issue(terms: object = {}, headers?: Record<string, string>): Promise<any> {
    const { status, body } = await admin('POST', keysPath(), { name: 'key', ...terms }, headers);
    expect(status).toBe(201);
    secrets.push(body.secret);
    return body;
  }

  async function logIn(): Promise<any> {
    const { status, body } = await tryLogin(password);
    expect(status).toBe(200);
    secrets.push(body.token, body.csrf_token);
    return body;
  }

  beforeAll(async () => {
    service = await App.start({ BOOTSTRAP_API_KEY: '', ADMIN_PASSWORD: '', RATE_LIMIT_READ: '100' });
    firstKey = KEY_LINE.exec(service.stdout)?.[1] ?? '';
    password = PASSWORD_LINE.exec(service.stdout)?.[1] ?? '';
    secrets.push(firstKey, password);
    token = (await logIn()).token;
    projectId = (await admin('GET', '/projects')).body.data[0].id;
  });

  afterAll(() => service.dispose());

  it('starts with one project, one key with every scope and a password', async () => {
    const { body } = await admin('GET', keysPath());
    expect(body.data).toMatchObject([{ name: 'default', prefix: firstKey.slice(0, 7), status: 'active' }]);
    expect(body.data[0].scopes).toHaveLength(10);
    expect((await admin('GET', `/projects/${projectId}`)).body).toMatchObject({ name: 'default' });
    expect((await list(firstKey)).status).toBe(200);
  });

  it('prints no secret at a second start, keeps sessions and keys', async () => {
    await service.restart();
    expect(service.stdout).not.toMatch(/sk_|password/i);
    expect((await admin('GET', '/session')).status).toBe(200);
    expect((await list(firstKey)).status).toBe(200);
  });

  it('rebuilds nothing when one of several read models is not known, and names that one', async () => {
    const projections = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [PROJECTIONS, '--url', service.url, ...args], { env: { ADMIN_PASSWORD: password } });
    const { code, stdout, stderr } = await projections('rebuild', 'events', 'nosuch').catch((error: unknown) => error as any);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^No such read model: nosuch\. Known are .*\bevents\b/),
    ]);
    let answer = await admin('GET', '/projections');
    // 503 alone is asked again: a server that does not answer in time, as on a busy machine.
    await eventually(async () => {
      if (answer.status === 503) answer = await admin('GET', '/projections');
      expect(answer.status).not.toBe(503);
    });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const { data } = answer.body;
    expect(data.map((each: any) => each.rebuild)).toEqual(data.map(() => null));
    const told = async (...args: readonly string[]) =>
      (await projections(...args)).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(await told('rebuild', 'events')).toEqual([expect.objectContaining({ projection: 'events', percent: 100 })]);
    expect(await told('status')).toContainEqual(
      expect.objectContaining({ object: 'projection', name: 'events', version: expect.any(Number) }),
    );
    await eventually(async () => {
      const { body } = await admin('GET', '/projections');
      expect(body.data.find((each: any) => each.name === 'events')).toMatchObject({ lag_ms: 0, rebuild: { state: 'done' } });
    });
  });

  it('opens to no API key, and no admin token opens /v1', async () => {
    const key = `${keysPath()}/key_01J9Z3K8Q4T6V8X0A2C4E6G8J0`;
    const routes = [
      ['POST', '/logout'],
      ['POST', '/password'],
      ['GET', '/session'],
      ['GET', '/projects'],
      ['POST', '/projects'],
      ['GET', `/projects/${projectId}`],
      ['PATCH', `/projects/${projectId}`],
      ['GET', keysPath()],
      ['POST', keysPath()],
      ['PATCH', key],
      ['DELETE', key],
      ['POST', `${key}/rotate`],
      ['GET', '/projections'],
      ['POST', '/projections/projects/rebuild'],
      ['GET', '/nothing'],
    ] as const;
    for (const [method, path] of routes) {
      for (const stranger of [firstKey, null, 'adm_nobody']) {
        const { status, body, headers } = await service.as(stranger).send(method, `/admin/v1${path}`, undefined);
        expect([method, path, status, body.error.code]).toEqual([method, path, 401, 'admin_session_invalid']);
        expect(headers.get('request-id')).toBe(body.error.request_id);
      }
    }
    const { status, body } = await list(token);
    expect([status, body.error.code]).toEqual([401, 'api_key_invalid']);
  });

  it('gives keys the scopes it was told, and changes them with the next request', async () => {
    const key = await issue({ scopes: ['agent'] });
    const refused = await list(key.secret);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.body.error.required_scope).toBe('conversations:read');
    await admin('PATCH', `${keysPath()}/${key.id}`, { scopes: ['conversations:read'] });
    expect((await list(key.secret)).status).toBe(200);
  });

  it('revokes a key at once', async () => {
    const key = await issue();
    expect((await list(key.secret)).status).toBe(200);
    expect((await admin('DELETE', `${keysPath()}/${key.id}`)).body).toMatchObject({ id: key.id, status: 'revoked' });
    const refused = await list(key.secret);
    expect([refused.status, refused.body.error.type, refused.body.error.code]).toEqual([
      401,
      'authentication_error',
      'api_key_revoked',
    ]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('lets the old key of a rotation work until its grace is over', async () => {
    const rotate = async (id: string, seconds: number) => {
      const { body } = await admin('POST', `${keysPath()}/${id}/rotate`, { grace_period_seconds: seconds });
      secrets.push(body.secret);
      const { data } = (await admin('GET', keysPath())).body;
      return { rotated: body, until: Date.parse(data.find((key: { id: string }) => key.id === id).expires_at) };
    };
    const old = await issue();
    const { rotated } = await rotate(old.id, 3_600);
    expect((await list(old.secret)).status).toBe(200);
    expect((await list(rotated.secret)).status).toBe(200);
    const { rotated: newest, until } = await rotate(rotated.id, 2);
    for (let isOver = false; !isOver; await wait(20)) {
      const askedAt = Date.now();
      const { status, body } = await list(rotated.secret);
      isOver = status !== 200;
      if (isOver) expect([body.error.code, Date.now() >= until]).toEqual(['api_key_expired', true]);
      else expect(askedAt).toBeLessThan(until);
    }
    expect((await list(newest.secret)).status).toBe(200);
  });

  it('has settings obeyed by the next request', async () => {
    const path = `/projects/${projectId}`;
    await admin('PATCH', path, { rate_limits: { read: 7 } });
    expect((await list(firstKey)).headers.get('ratelimit-limit')).toBe('14');
    await admin('PATCH', path, { rate_limits: { read: 0 } });
    expect((await list(firstKey)).headers.get('ratelimit-limit')).toBeNull();
    await admin('PATCH', path, { rate_limits: { read: null } });
    expect((await list(firstKey)).headers.get('ratelimit-limit')).toBe('200');
  });

  it('repeats a secret only to its own request', async () => {
    const headers = { 'idempotency-key': 'issue-once' };
    const first = await issue({}, headers);
    const again = await admin('POST', keysPath(), { name: 'key' }, headers);
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first]);
    expect((await admin('GET', keysPath())).text).not.toContain(first.secret);
  });

  it('takes no token of a rate class', async () => {
    const { headers } = await admin('GET', '/projects');
    expect(headers.get('ratelimit-limit')).toBeNull();
  });

  it('is served by a browser session only with its CSRF token', async () => {
    const { token: other, csrf_token: csrf } = await logIn();
    const cookie = `__Host-admin_session=${other}`;
    const send = (method: string, more: Record<string, string> = {}) =>
      service.as(null).send(method, '/admin/v1/projects', method === 'GET' ? undefined : { name: 'x' }, { cookie, ...more });
    expect((await send('GET')).status).toBe(200);
    expect((await send('POST')).body.error).toMatchObject({ type: 'permission_error', code: 'csrf_token_invalid' });
    expect((await send('POST', { 'x-csrf-token': csrf })).status).toBe(201);
  });

  it('changes the password, which ends every other session', async () => {
    const { token: other } = await logIn();
    const headers = { 'idempotency-key': 'change-once' };
    const change = () => admin('POST', '/password', { current_password: password, new_password: 'a much better one' }, headers);
    const changed = await change();
    const repeated = await change();
    expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual([200, 'true', changed.body]);
    expect(changed.status).toBe(200);
    secrets.push('a much better one');
    password = 'a much better one';
    expect((await service.as(other).get('/admin/v1/session')).status).toBe(401);
    await service.restart();
    expect((await admin('GET', '/session')).status).toBe(200);
    await logIn();
  });

  it('leaves no secret, token or password in what is stored and the logs', async () => {
    expect(secrets.length).toBeGreaterThan(10);
    expect(await storedAsTheyAre(service, secrets)).toEqual([]);
    expect(secrets.filter((secret) => service.stderr.includes(secret))).toEqual([]);
    await service.stop();
    expect(await storedAsTheyAre(service, secrets)).toEqual([]);
    expect(await storedAsTheyAre(service, [projectId])).toEqual([projectId]);
    await service.restart();
  });

  it('locks everybody out after five wrong passwords, across a restart', async () => {
    const wrong = () => tryLogin('wrong');
    for (let time = 0; time < 5; time++) expect((await wrong()).body.error.code).toBe('admin_password_invalid');
    await service.restart();
    const locked = await tryLogin(password);
    expect([locked.status, locked.body.error.type, locked.body.error.code]).toEqual([
      429,
      'rate_limit_error',
      'rate_limit_exceeded',
    ]);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect((await admin('GET', '/session')).status).toBe(200);
  });
});

describe('a first start told its secrets', () => {
  it('takes them, and only the first time', async () => {
    const chosen = { BOOTSTRAP_API_KEY: 'sk_abcdefghijklmnopqrstuvwx', ADMIN_PASSWORD: 'chosen by the operator' };
    const service = await App.start(chosen);
    const answers = [
      await service.as(chosen.BOOTSTRAP_API_KEY).get('/v1/conversations'),
      await service.as(null).post('/admin/v1/login', { password: chosen.ADMIN_PASSWORD }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(service.log).not.toMatch(/not in force/);
    await service.restart({ BOOTSTRAP_API_KEY: 'sk_another_key_0123456789abcdef', ADMIN_PASSWORD: 'another password' });
    expect((await service.as('sk_another_key_0123456789abcdef').get('/v1/conversations')).status).toBe(401);
    expect((await service.as(null).post('/admin/v1/login', { password: 'another password' })).status).toBe(401);
    expect((await service.as(chosen.BOOTSTRAP_API_KEY).get('/v1/conversations')).status).toBe(200);
    for (const name of ['BOOTSTRAP_API_KEY', 'ADMIN_PASSWORD'])
      await eventually(() => expect(service.log.split(`${name} is not in force`)).toHaveLength(2));
    expect(service.log).not.toContain('another_key');
    await service.dispose();
  });

  it('counts as told once it was printed, though the service is killed right after', async () => {
    const service = await App.start({ BOOTSTRAP_API_KEY: '', ADMIN_PASSWORD: '' });
    const told = KEY_LINE.exec(service.stdout)?.[1] ?? '';
    await service.kill();
    await service.restart();
    expect(service.stdout).not.toMatch(KEY_LINE);
    // On the cluster, lists whose first rows the killed process was building are 503 until its lease has ended.
    await eventually(async () => expect((await service.as(told).get('/v1/conversations')).status).toBe(200));
    await service.dispose();
  });
});
