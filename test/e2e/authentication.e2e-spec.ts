import { request as open, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY, App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const unauthenticated = (code: string) => [401, 'authentication_error', code];

describe('a request under /v1', () => {
  it('without a key is refused and told how to send one', async () => {
    const answer = await app.as(null).get('/v1/conversations');
    expect(errorOf(answer)).toEqual(unauthenticated('api_key_missing'));
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('service-should-retry')).toBe('false');
  });

  it.each(['Basic c2tfOng=', 'Bearer', 'sk_bare', `Basic Bearer ${API_KEY}`])(
    'with "%s" counts as one without a key',
    async (authorization) => {
      const answer = await app.as(null).get('/v1/conversations', { authorization });
      expect(errorOf(answer)).toEqual(unauthenticated('api_key_missing'));
    },
  );

  it.each(['sk_unknown_key_of_nobody_at_all', 'adm_something', 'nonsense'])(
    'with the unknown key %s is refused',
    async (token) => {
      expect(errorOf(await app.as(token).get('/v1/conversations'))).toEqual(unauthenticated('api_key_invalid'));
    },
  );

  it.each(['bearer', 'BEARER', 'Bearer  '])('takes the scheme written as "%s"', async (scheme) => {
    const answer = await app.as(null).get('/v1/conversations', { authorization: `${scheme} ${app.api.token}` });
    expect(answer.status).toBe(200);
  });

  it('with a revoked key is refused', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'revoked' })).body.id;
    const key = (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'k' })).body;
    expect((await app.as(key.secret).get('/v1/conversations')).status).toBe(200);
    await admin.delete(`/admin/v1/projects/${project}/api_keys/${key.id}`);
    expect(errorOf(await app.as(key.secret).get('/v1/conversations'))).toEqual(unauthenticated('api_key_revoked'));
  });

  it('is told of its key before anything else about it', async () => {
    const answers: Answer[] = await Promise.all([
      app.as(null).get('/v1/nothing-here'),
      app.as(null).send('PUT', '/v1/conversations', {}),
      app.as(null).raw('POST', '/v1/messages', '{not json', { 'content-type': 'application/json' }),
      app.as(null).raw('POST', '/v1/messages', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    ]);
    for (const answer of answers) expect(errorOf(answer)).toEqual(unauthenticated('api_key_missing'));
  });
});

it.each([
  ['/v1', 'api_key_missing'],
  ['/v1?limit=1', 'api_key_missing'],
  ['/admin/v1', 'admin_session_invalid'],
  ['/admin/v1?limit=1', 'admin_session_invalid'],
])('the bare prefix %s is closed too', async (path, code) => {
  expect(errorOf(await app.as(null).get(path))).toEqual(unauthenticated(code));
});

describe('a key', () => {
  it('opens what its scopes name and nothing else', async () => {
    const reader = await app.otherProject('readers', ['conversations:read']);
    expect((await reader.get('/v1/conversations')).status).toBe(200);
    const refused = await reader.post('/v1/conversations', {});
    expect(errorOf(refused)).toEqual([403, 'permission_error', 'insufficient_scope']);
    expect(refused.body.error.required_scope).toBe('conversations:write');
    expect(errorOf(await reader.get('/v1/customers'))).toEqual([403, 'permission_error', 'insufficient_scope']);
  });

  it('opens nothing under /admin/v1', async () => {
    expect(errorOf(await app.api.get('/admin/v1/projects'))).toEqual(unauthenticated('admin_session_invalid'));
  });

  it('sees nothing of another project', async () => {
    const { body } = await app.api.say('tenant-thread', 'Hello');
    const other = await app.otherProject('stranger');
    expect(errorOf(await other.get(`/v1/conversations/${body.conversation_id}`))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
      'id',
    ]);
    expect((await other.get('/v1/conversations')).body.data).toEqual([]);
  });
});

describe('outside /v1 and /admin/v1', () => {
  it.each(['/health', '/ready', '/metrics', '/openapi.json', '/docs', '/docs/errors'])('%s needs no key', async (path) => {
    expect((await app.as(null).get(path)).status).toBe(200);
  });

  it.each(['/v2/messages', '/v1x', '/favicon.ico'])('%s is not found rather than forbidden', async (path) => {
    expect(errorOf(await app.as(null).get(path))).toEqual([404, 'invalid_request_error', 'route_not_found']);
  });
});

describe('a request whose body is still on its way', () => {
  /** Posts a body whose last bytes are sent only after `meanwhile` and more than a second. */
  async function slowly(token: string, path: string, body: object, meanwhile: () => Promise<unknown>): Promise<unknown[]> {
    const rest = JSON.stringify(body).slice(1);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sending = open(app.url + path, { method: 'POST', headers });
    sending.write('{');
    await eventually(async () => expect(await app.requestsInFlight()).toBe(1));
    await meanwhile();
    await pause(1_500);
    const answer = await new Promise<IncomingMessage>((resolve) => sending.on('response', resolve).end(rest));
    const { error } = JSON.parse(await text(answer)) as { error?: { code: string } };
    return [answer.statusCode, error?.code];
  }

  const newKey = async (terms: object = {}) => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'slow' })).body.id;
    const keys = `/admin/v1/projects/${project}/api_keys`;
    const key = (await admin.post(keys, { name: 'k', ...terms })).body;
    return { admin, keys, secret: key.secret as string, path: `${keys}/${key.id}` };
  };

  it('executes with a key that is still good', async () => {
    const { secret } = await newKey();
    expect(await slowly(secret, '/v1/conversations', {}, async () => undefined)).toEqual([201, undefined]);
  });

  it('is refused when its key is revoked meanwhile', async () => {
    const { admin, secret, path } = await newKey();
    expect(await slowly(secret, '/v1/conversations', {}, () => admin.delete(path))).toEqual([401, 'api_key_revoked']);
  });

  it('is refused when its key expires meanwhile', async () => {
    const expiresAt = Date.now() + 5_000;
    const { secret } = await newKey({ expires_at: new Date(expiresAt).toISOString() });
    const expiry = () => pause(Math.max(0, expiresAt - Date.now()));
    expect(await slowly(secret, '/v1/conversations', {}, expiry)).toEqual([401, 'api_key_expired']);
  });

  it('is refused when its key loses the scope meanwhile', async () => {
    const { admin, secret, path } = await newKey();
    const takeAway = () => admin.patch(path, { scopes: ['events:read'] });
    expect(await slowly(secret, '/v1/conversations', {}, takeAway)).toEqual([403, 'insufficient_scope']);
  });

  it('makes no key when its admin logs out meanwhile', async () => {
    const { admin, keys } = await newKey();
    const other = await app.admin();
    const logOut = () => other.post('/admin/v1/logout');
    expect(await slowly(other.token ?? '', keys, { name: 'late' }, logOut)).toEqual([401, 'admin_session_invalid']);
    const names = (await admin.get(keys)).body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['k']);
  });
});
