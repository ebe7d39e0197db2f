import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const UNKNOWN = 'we_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const URL = 'https://api.client.example/hooks';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const register = (client: Client, body: object): Promise<Answer> => client.post('/v1/webhook_endpoints', body);

describe('a registered endpoint', () => {
  it('shows everything it was given, and its secret this once', async () => {
    const given = {
      url: URL,
      event_filters: ['appointment.*'],
      description: 'prod',
      metadata: { a: 1 },
      headers: { 'X-Env': 'prod' },
    };
    const { status, body } = await register(app.api, given);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      headers: { 'X-Env': '********' },
      id: expect.stringMatching(/^we_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'webhook_endpoint',
      status: 'enabled',
      disabled_reason: null,
      paused_at: null,
      paused_reason: null,
      disable_on_gone: false,
      rate_limit_per_second: null,
      api_version: 'v1',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{48}$/),
      secret_hint: `…${body.secret.slice(-5)}`,
      secret_rotated_at: null,
      previous_secret_expires_at: null,
      failing_since: null,
      oldest_pending_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    const { secret, ...shown } = body;
    expect((await app.api.get(`/v1/webhook_endpoints/${body.id}`)).body).toEqual(shown);
    expect((await app.api.get('/v1/webhook_endpoints?limit=1')).body.data).toEqual([shown]);
    expect((await app.api.patch(`/v1/webhook_endpoints/${body.id}`, {})).text).not.toContain(secret);
  });

  it('wants all events when nobody says which', async () => {
    for (const event_filters of [undefined, null, []]) {
      expect((await register(app.api, { url: URL, event_filters })).body.event_filters).toEqual([]);
    }
  });

  it('can be changed in everything but its secret', async () => {
    const { body } = await register(app.api, { url: URL });
    const changes = { url: `${URL}/2`, event_filters: ['*'], description: 'new', metadata: { b: 2 }, headers: { 'X-A': 'b' } };
    const patched = await app.api.patch(`/v1/webhook_endpoints/${body.id}`, {
      ...changes,
      status: 'disabled',
      secret: 'whsec_mine',
    });
    const shown = { ...changes, headers: { 'X-A': '********' } };
    expect(patched.body).toMatchObject({ ...shown, status: 'disabled', secret_hint: body.secret_hint });
    expect((await app.api.get(`/v1/webhook_endpoints/${body.id}`)).body).toEqual(patched.body);
  });

  it('has nothing any more of what was taken away; null takes away only what may be missing', async () => {
    const { body } = await register(app.api, { url: URL, event_filters: ['*'], description: 'a', headers: { 'X-A': 'b' } });
    const patch = (changes: object) => app.api.patch(`/v1/webhook_endpoints/${body.id}`, changes);
    await patch({ status: 'disabled' });
    const none = await patch({ event_filters: null, description: null, headers: null, status: null, url: null });
    const kept = { url: URL, event_filters: ['*'], headers: { 'X-A': '********' }, status: 'disabled' };
    expect(none.body).toMatchObject({ ...kept, description: null });
    const emptied = await patch({ event_filters: [], headers: {} });
    expect(emptied.body).toMatchObject({ event_filters: [], headers: {}, status: 'disabled' });
  });

  it('may keep a former secret for a week', async () => {
    const { body } = await register(app.api, { url: URL });
    const week = { grace_period_seconds: 604_800 };
    const rotated = (await app.api.post(`/v1/webhook_endpoints/${body.id}/rotate_secret`, week)).body;
    const kept = Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.secret_rotated_at);
    expect(kept).toBe(604_800_000);
  });

  it('is gone once deleted', async () => {
    const { body } = await register(app.api, { url: URL });
    const path = `/v1/webhook_endpoints/${body.id}`;
    const deleted = await app.api.delete(path);
    expect([deleted.status, deleted.body]).toEqual([200, { id: body.id, object: 'webhook_endpoint', deleted: true }]);
    const missing = [404, 'invalid_request_error', 'resource_missing', 'id'];
    for (const answer of [
      await app.api.get(path),
      await app.api.patch(path, {}),
      await app.api.post(`${path}/rotate_secret`),
      await app.api.post(`${path}/test`),
    ]) {
      expect(errorOf(answer)).toEqual(missing);
    }
  });

  it('is nobody else’s', async () => {
    const foreign = await register(await app.otherProject(), { url: URL });
    for (const id of [UNKNOWN, foreign.body.id, 'nonsense']) {
      const path = `/v1/webhook_endpoints/${id}`;
      const answers = [
        await app.api.get(path),
        await app.api.patch(path, {}),
        await app.api.delete(path),
        await app.api.post(`${path}/rotate_secret`),
        await app.api.post(`${path}/test`),
      ];
      expect(answers.map(errorOf)).toEqual(answers.map(() => [404, 'invalid_request_error', 'resource_missing', 'id']));
    }
  });

  it('is one of fifty at most', async () => {
    const client = await app.otherProject();
    const answers: Answer[] = [];
    for (let count = 0; count < 51; count++) answers.push(await register(client, { url: URL }));
    expect(answers.slice(0, 50).map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(answers[50] && errorOf(answers[50]).slice(0, 3)).toEqual([400, 'invalid_request_error', 'limit_exceeded']);
    await client.delete(`/v1/webhook_endpoints/${answers[0]?.body.id}`);
    expect((await register(client, { url: URL })).status).toBe(201);
  });
});

describe('refused', () => {
  it.each([
    'http://api.client.example/hooks',
    'ftp://api.client.example/',
    'javascript:alert(1)',
    'nonsense',
    'https://user:pass@api.client.example/',
    'https://api.client.example/#top',
    'https://api.client.example:22/',
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://localhost/',
  ])('is the URL %s', async (url) => {
    expect(errorOf(await register(app.api, { url }))).toEqual([400, 'invalid_request_error', 'url_invalid', 'url']);
  });

  it('is a URL of more than 2048 characters', async () => {
    expect((await register(app.api, { url: `${URL}/`.padEnd(2_048, 'x') })).status).toBe(201);
    const refused = errorOf(await register(app.api, { url: `${URL}/`.padEnd(2_049, 'x') }));
    expect(refused).toEqual([400, 'invalid_request_error', 'parameter_too_long', 'url']);
  });

  it.each([
    ['event_filters', Array(51).fill('*')],
    ['event_filters', ['*', 7]],
    ['event_filters', '*'],
    ['headers', { 'X-A': 7 }],
    ['headers', ['X-A']],
    ['headers', 'X-A: b'],
  ])('are the %s %j', async (name, value) => {
    const refused = errorOf(await register(app.api, { url: URL, [name]: value }));
    expect(refused).toEqual([400, 'invalid_request_error', 'parameter_invalid', name]);
  });

  it.each([undefined, null, ''])('is no URL: %j', async (url) => {
    expect(errorOf(await register(app.api, { url }))).toEqual([400, 'invalid_request_error', 'parameter_missing', 'url']);
  });

  it.each(['Appointment.created', 'appointment..created', '.created', 'appointment.', '*.created', 'a b', ''])(
    'is the filter "%s"',
    async (filter) => {
      const refused = errorOf(await register(app.api, { url: URL, event_filters: ['appointment.*', filter] }));
      expect(refused).toEqual([400, 'invalid_request_error', 'event_filter_invalid', 'event_filters']);
    },
  );

  it.each(['Host', 'Content-Type', 'content-length', 'Service-Signature', 'service-x', 'webhook-id', 'Webhook-Anything'])(
    'is the header %s',
    async (name) => {
      const refused = errorOf(await register(app.api, { url: URL, headers: { [name]: 'x' } }));
      expect(refused).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'headers']);
    },
  );

  it('is a change to any of those too', async () => {
    const { body } = await register(app.api, { url: URL });
    const patch = (changes: object) => app.api.patch(`/v1/webhook_endpoints/${body.id}`, changes);
    expect(errorOf(await patch({ url: 'http://10.0.0.1/' }))[2]).toBe('url_invalid');
    expect(errorOf(await patch({ event_filters: ['A'] }))[2]).toBe('event_filter_invalid');
    expect(errorOf(await patch({ headers: { host: 'x' } }))[2]).toBe('parameter_invalid');
    expect(errorOf(await patch({ status: 'paused' }))[2]).toBe('parameter_invalid');
    for (const grace of [-1, 604_801, 'day']) {
      const rotated = await app.api.post(`/v1/webhook_endpoints/${body.id}/rotate_secret`, { grace_period_seconds: grace });
      expect(errorOf(rotated)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'grace_period_seconds']);
    }
    const { secret: _, ...shown } = body;
    expect((await app.api.get(`/v1/webhook_endpoints/${body.id}`)).body).toEqual(shown);
  });
});

describe('an event goes', () => {
  let local: App;
  let backend: Backend;
  beforeAll(async () => void ([local, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()])));
  afterAll(() => Promise.all([local.dispose(), backend.close()]));

  it.each([
    [['appointment.confirmed'], ['confirmed']],
    [
      ['appointment.confirmed', 'appointment.created'],
      ['created', 'confirmed'],
    ],
    [['appointment.*'], ['created', 'confirmed']],
    [['*'], ['created', 'confirmed']],
    [[], ['created', 'confirmed']],
    [['customer.*', 'appointment.created.more', 'appointment'], []],
  ])('by the filters %j: %j', async (event_filters, expected) => {
    const [filtered, all] = [backend.hook(), backend.hook()];
    const { client } = await subscribe(local, all.url);
    await client.post('/v1/webhook_endpoints', { url: filtered.url, event_filters });
    await appointmentIn(client, 'confirmed');
    await all.received(2);
    await filtered.received(expected.length);
    const { body } = await client.get('/v1/events');
    const totals = body.data.map(({ delivery_summary }: any) => delivery_summary.total);
    expect(totals.reduce((one: number, other: number) => one + other, 0)).toBe(2 + expected.length);
    const kinds = filtered.requests.map(({ headers }) => String(headers['service-event-type']).replace('appointment.', ''));
    expect(kinds.toSorted()).toEqual(expected.toSorted());
  });

  it('to no endpoint that is disabled, and to it again once it is enabled', async () => {
    const [hook, all] = [backend.hook(), backend.hook()];
    const { client, id } = await subscribe(local, hook.url);
    await client.post('/v1/webhook_endpoints', { url: all.url });
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    expect((await client.post(`/v1/webhook_endpoints/${id}/test`)).body.error.code).toBe('webhook_endpoint_disabled');
    await appointmentIn(client, 'pending');
    await all.received(1);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'enabled' });
    const second = await appointmentIn(client, 'pending');
    const [request] = await hook.received(1);
    expect(JSON.parse(request?.body ?? '').data.object.id).toBe(second);
    const listed = (status: string) => client.get(`/v1/webhook_endpoints?status=${status}`);
    expect([(await listed('enabled')).body.data.length, (await listed('disabled')).body.data]).toEqual([2, []]);
    expect(errorOf(await listed('asleep'))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'status']);
  });
});
