import { ADMIN_PASSWORD, App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';

const UNKNOWN = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const MOUNT = '/admin/v1/projects/{project_id}';
const OF_ADMINISTRATORS_ALONE = ['/deliveries/{id}/causes', '/events/{id}/causes', '/requests/{id}/events'];

type Route = readonly [method: string, path: string];

let app: App;
let admin: Client;
let project: string;
let other: string;
let cookie: string;
let routes: readonly Route[];
let clientRoutes: readonly Route[];

beforeAll(async () => {
  app = await App.start({ RATE_LIMIT_READ: '', RATE_LIMIT_WRITE: '', RATE_LIMIT_MESSAGES: '' });
  admin = await app.admin();
  const { body } = await admin.get('/admin/v1/projects');
  project = body.data[0].id;
  other = (await admin.post('/admin/v1/projects', { name: 'other' })).body.id;
  const login = await app.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD });
  cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  clientRoutes = await routesOf('/openapi.json');
  routes = (await routesOf('/admin/openapi.json')).filter(([, path]) => isMounted(path));
});
afterAll(() => app.dispose());

async function routesOf(document: string): Promise<readonly Route[]> {
  const { paths } = (await app.as(null).get(document)).body as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method): Route => [method.toUpperCase(), path]));
}

const isMounted = (path: string) => path.startsWith(`${MOUNT}/`) && !path.startsWith(`${MOUNT}/api_keys`);
const within = (id: string, path: string) => `/admin/v1/projects/${id}${path}`;
const addressOf = (path: string, id: string) => path.replace('{project_id}', id).replace(/\{\w+\}/g, 'nobody');
const bodyOf = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : {});

/** What each route answers that answers something else than expected. */
async function others(expected: readonly unknown[], ask: (route: Route) => Promise<Parameters<typeof errorOf>[0]>) {
  const found: unknown[] = [];
  for (const route of routes) {
    const answer = errorOf(await ask(route));
    if (JSON.stringify(answer) !== JSON.stringify(expected)) found.push([...route, answer]);
  }
  return found;
}

describe("an administrator's routes in a project", () => {
  it('are those of its clients, and a few that no client has', () => {
    const ofClients = clientRoutes.map(([method, path]) => `${method} ${path}`);
    const ofNoClient = OF_ADMINISTRATORS_ALONE.map((path) => `GET /v1${path}`);
    expect(routes.map(([method, path]) => `${method} ${path.replace(MOUNT, '/v1')}`).toSorted()).toEqual(
      [...ofClients, ...ofNoClient].toSorted(),
    );
  });

  it('are closed without a session', async () => {
    const asked = ([method, path]: Route) => app.as(null).send(method, addressOf(path, project), bodyOf(method));
    expect(await others([401, 'authentication_error', 'admin_session_invalid'], asked)).toEqual([]);
  });

  it("are closed to a project's key", async () => {
    const asked = ([method, path]: Route) => app.api.send(method, addressOf(path, project), bodyOf(method));
    expect(await others([401, 'authentication_error', 'admin_session_invalid'], asked)).toEqual([]);
  });

  it('want the CSRF token of a session that comes by cookie, unless they only read', async () => {
    const refused: unknown[] = [];
    for (const [method, path] of routes) {
      const answer = await app.as(null).send(method, addressOf(path, project), bodyOf(method), { cookie });
      if (answer.body.error?.code === 'csrf_token_invalid') refused.push([method, path]);
    }
    expect(refused).toEqual(routes.filter(([method]) => method !== 'GET'));
  });

  it('know no project that there is not', async () => {
    const answers: unknown[] = [];
    for (const [method, path] of routes) {
      const { status, body } = await admin.send(method, addressOf(path, UNKNOWN), bodyOf(method));
      // A body that is not valid is refused first, as everywhere.
      if (status !== 400) answers.push([status, body.error?.code, body.error?.param]);
    }
    expect(answers.length).toBeGreaterThan(40);
    expect(answers.filter((answer) => JSON.stringify(answer) !== '[404,"resource_missing","project_id"]')).toEqual([]);
  });

  it('have no rate limit', async () => {
    const limited: unknown[] = [];
    for (const [method, path] of routes) {
      const { headers } = await admin.send(method, addressOf(path, project), bodyOf(method));
      if ([...headers.keys()].some((name) => name.startsWith('ratelimit'))) limited.push([method, path]);
    }
    expect(limited).toEqual([]);
  });
});

describe('an administrator in a project', () => {
  it('sees what its clients make, and they what the administrator makes', async () => {
    const { body: theirs } = await app.api.post('/v1/customers', { phone: '+15005550001' });
    expect((await admin.get(within(project, `/customers/${theirs.id}`))).body).toEqual(theirs);
    const { body: made } = await admin.post(within(project, '/customers'), { phone: '+15005550002' });
    expect((await app.api.get(`/v1/customers/${made.id}`)).body).toEqual(made);
  });

  it("does not find another project's things", async () => {
    const { body: customer } = await app.api.post('/v1/customers', { phone: '+15005550003' });
    const { body: appointment } = await book(app.api);
    const { body: endpoint } = await app.api.post('/v1/webhook_endpoints', { url: 'https://hooks.example' });
    const { body: call } = await app.api.post('/v1/sessions', { direction: 'inbound' });
    const { body: talk } = await app.api.post('/v1/conversations', {});
    const ids = { customers: customer.id, appointments: appointment.id, webhook_endpoints: endpoint.id, sessions: call.id };
    for (const [kind, id] of Object.entries({ ...ids, conversations: talk.id })) {
      expect([kind, (await admin.get(within(project, `/${kind}/${id}`))).status]).toEqual([kind, 200]);
      expect([kind, errorOf(await admin.get(within(other, `/${kind}/${id}`)))]).toEqual([
        kind,
        [404, 'invalid_request_error', 'resource_missing', 'id'],
      ]);
    }
  });

  it('talks to the agent as a customer would', async () => {
    const { status, body } = await admin.post(within(project, '/messages'), {
      external_conversation_id: 'admin-talk',
      content: 'Hello',
    });
    expect([status, typeof body.reply.content]).toEqual([200, 'string']);
    expect((await app.api.get(`/v1/conversations/${body.conversation.id}/messages`)).body.data).toHaveLength(2);
  });

  it('changes an appointment only at the version that it names', async () => {
    const { body } = await book(app.api);
    const path = within(project, `/appointments/${body.id}/cancel`);
    const stale = await admin.send('POST', path, {}, { 'if-match': '"v7"' });
    expect(stale.body.error.code).toBe('version_conflict');
    const done = await admin.send('POST', path, {}, { 'if-match': '"v1"' });
    expect([done.status, done.headers.get('etag'), done.body.status]).toEqual([200, '"v2"', 'cancelled']);
  });

  it('is the actor of what changes', async () => {
    const { body } = await book(app.api);
    await admin.post(within(project, `/appointments/${body.id}/confirm`), {});
    const actors = await eventually(async () => {
      const { data } = (await admin.get(within(project, `/events?object_id=${body.id}`))).body;
      expect(data).toHaveLength(2);
      return data.map((event: any) => event.change.actor);
    });
    expect(actors).toEqual([
      { type: 'admin', session_id: expect.stringMatching(/^ases_/) },
      { type: 'client', session_id: null },
    ]);
  });
});

describe("the Idempotency-Key of an administrator's request", () => {
  const create = (client: Client, path: string, body: object) => client.send('POST', path, body, { 'idempotency-key': 'same' });
  const ada = { name: 'Ada', phone: '+15005550010' };
  const eve = { name: 'Eve', phone: '+15005550011' };

  it("gives the first answer again, and is neither the clients' nor another project's nor that of the other admin routes", async () => {
    const first = await create(admin, within(project, '/customers'), ada);
    const again = await create(admin, within(project, '/customers'), ada);
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    const elsewhere = [
      await create(app.api, '/v1/customers', eve),
      await create(admin, within(other, '/customers'), eve),
      await create(admin, '/admin/v1/projects', { name: 'Eve' }),
    ];
    expect(elsewhere.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set([first, ...elsewhere].map(({ body }) => body.id)).size).toBe(4);
  });
});

describe('the document of the admin API', () => {
  let document: any;
  beforeAll(async () => void (document = (await app.as(null).get('/admin/openapi.json')).body));

  it('is about /admin/v1 only, and tells of every route', () => {
    const paths = Object.keys(document.paths);
    expect(paths.every((path) => path.startsWith('/admin/v1/'))).toBe(true);
    const own = ['login', 'session', 'logout', 'password', 'projects', 'projections', 'issues', 'tasks', 'backup', 'log'];
    expect(paths).toEqual(expect.arrayContaining(own.map((name) => `/admin/v1/${name}`)));
  });

  it('gives every operation a name of its own, its session and its refusals', () => {
    const operations = Object.entries(document.paths as Record<string, Record<string, any>>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, method, security, responses } of operations) {
      if (path === '/admin/v1/login') continue;
      const csrf = method === 'get' ? {} : { csrf_token: [] };
      expect(security).toEqual(expect.arrayContaining([{ session_cookie: [], ...csrf }, { session_token: [] }]));
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '500', '503']));
    }
  });

  it('has everything that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]*)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, part = '', name = ''] of references) expect(Object.keys(document.components[part])).toContain(name);
  });
});
