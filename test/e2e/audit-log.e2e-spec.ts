import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADMIN_PASSWORD, App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;

let app: App;
let admin: Client;
let session: { readonly id: string; readonly token: string; readonly csrf_token: string };
beforeAll(async () => {
  app = await App.start({ NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_MS: '0' });
});
afterAll(() => app.dispose());
beforeEach(logIn);

async function logIn(): Promise<void> {
  session = (await login(ADMIN_PASSWORD)).body;
  admin = app.as(session.token);
}

function login(password: string, headers: Record<string, string> = {}): Promise<Answer> {
  return app.as(null).post('/admin/v1/login', { password }, headers);
}

/** Newest first. */
async function entries(query = ''): Promise<readonly Answer['body'][]> {
  const { status, body } = await admin.get(`/admin/v1/audit_log${query}`);
  expect(status).toBe(200);
  return body.data;
}

const ofSession = () => entries(`?session_id=${session.id}`);

describe('what an administrator does', () => {
  it('is in the audit log of the session, its login first, also after a restart', async () => {
    const { body: project } = await admin.post('/admin/v1/projects', { name: 'Salon' });
    await admin.patch(`/admin/v1/projects/${project.id}`, { name: 'Saloon' });
    await admin.patch(`/admin/v1/projects/${project.id}`, { time_zone: 'nowhere' });
    const about = { object: 'audit_entry', session_id: session.id, address: '127.0.0.1', code: null };
    const ofProject = { ...about, project_id: project.id, subject: { object: 'project', id: project.id } };
    const found = await ofSession();
    expect(found).toEqual(
      [
        { ...ofProject, action: 'PATCH /admin/v1/projects/{id}', status: 400, code: 'time_range_invalid' },
        { ...ofProject, action: 'PATCH /admin/v1/projects/{id}', status: 200 },
        { ...ofProject, action: 'POST /admin/v1/projects', status: 201 },
        {
          ...about,
          action: 'POST /admin/v1/login',
          project_id: null,
          subject: { object: 'admin_session', id: session.id },
          status: 200,
        },
      ].map((entry) => ({ id: expect.stringMatching(/^aud_/), at: expect.any(String), ...entry })),
    );
    await app.restart();
    admin = app.as(session.token);
    expect(await ofSession()).toEqual(found);
    expect(await entries(`?subject_id=${project.id}&limit=100`)).toEqual(found.slice(0, 3));
    expect((await admin.get('/admin/v1/session')).body).toMatchObject({ id: session.id, csrf_token: session.csrf_token });
  });
});

describe('a request to the admin API', () => {
  it('filters by ids of the right kind only', async () => {
    const refused = await admin.get('/admin/v1/audit_log?project_id=ases_1');
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'project_id']);
  });

  it('from another origin gets no CORS header, with a good session neither', async () => {
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answers = [
      await app.as(null).send('OPTIONS', '/admin/v1/projects', undefined, preflight),
      await admin.get('/admin/v1/projects', { origin: 'https://evil.example' }),
      await login(ADMIN_PASSWORD, { origin: 'https://evil.example' }),
    ];
    const cors = answers.flatMap(({ headers }) => [...headers.keys()].filter((name) => name.startsWith('access-control')));
    expect(cors).toEqual([]);
  });
});

describe('an entry', () => {
  it('is kept for ninety days, and gone once a clock that jumped has gone on for a day', async () => {
    const after = (ms: number) => app.restart({ CLOCK_AHEAD_MS: String(ms) });
    const [entry] = await ofSession();
    await after(90 * DAY - HOUR);
    await logIn();
    expect(await entries(`?subject_id=${entry.subject.id}`)).toEqual([entry]);
    let ahead = 91 * DAY;
    await eventually(async () => {
      await after((ahead += 17 * HOUR));
      await logIn();
      expect(await entries(`?subject_id=${entry.subject.id}`)).toEqual([]);
    });
  });
});

/** Last: it locks the login. */
describe('who is kept out', () => {
  it('is in the audit log: without a session, from another origin, with a wrong password, and locked out', async () => {
    const cookie = `__Host-admin_session=${session.token}`;
    const byCookie = (headers: Record<string, string>) =>
      app.as(null).post('/admin/v1/projects', { name: 'x' }, { cookie, 'x-csrf-token': session.csrf_token, ...headers });
    const evil = { origin: 'https://evil.example' };
    const refused = [
      await app.as(null).post('/admin/v1/projects', { name: 'x' }),
      await byCookie(evil),
      await byCookie({ origin: 'null' }),
      await app.as(null).post('/admin/v1/projects', { name: 'x' }, { cookie: '__Host-admin_session=adm_unknown', ...evil }),
      await login(ADMIN_PASSWORD, evil),
      await admin.post('/admin/v1/nothing/here'),
    ];
    for (let time = 0; time < 6; time++) refused.push(await login('wrong'));
    const [none, origin, wrong] = ['admin_session_invalid', 'csrf_token_invalid', 'admin_password_invalid'];
    const codes = [none, origin, origin, origin, origin, 'route_not_found', ...Array(5).fill(wrong), 'rate_limit_exceeded'];
    expect(refused.map(({ body }) => body.error.code)).toEqual(codes);
    const found = (await entries(`?limit=${codes.length}`)).toReversed();
    expect(found.map(({ code, status }) => [code, status])).toEqual(refused.map(({ body, status }) => [body.error.code, status]));
    expect(found.map(({ action }) => action).slice(4, 7)).toEqual([
      'POST /admin/v1/login',
      'POST unrouted',
      'POST /admin/v1/login',
    ]);
    const stored = await app.stored();
    expect([session.token, 'nothing/here'].filter((text) => stored.includes(text))).toEqual([]);
  });
});
