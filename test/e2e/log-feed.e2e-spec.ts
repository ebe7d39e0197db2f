import { ADMIN_PASSWORD, API_KEY, type App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { LineReader } from './harness/line-reader.js';
import { Processes } from './harness/processes.js';
import { Backend, LOCAL_HOOKS } from './harness/receiver.js';

const BOOKED = 300;

let processes: Processes;
let app: App;
let admin: Client;
let backend: Backend;
beforeAll(async () => {
  backend = await Backend.start();
  processes = await Processes.start(LOCAL_HOOKS);
  app = processes.gateway;
  admin = await app.admin();
  for (let n = 0; n < BOOKED; n += 10) await Promise.all(Array.from({ length: 10 }, () => book(app.api)));
});
afterAll(() => Promise.all([processes.dispose(), backend.close()]));

const open: LineReader[] = [];
afterEach(() => open.splice(0).forEach((reader) => reader.close()));

async function follow(query: string, session = admin): Promise<LineReader> {
  const reader = await LineReader.open(session, `/admin/v1/log?follow=true&${query}`);
  open.push(reader);
  return reader;
}

const log = (query = '', client = admin) => client.get(`/admin/v1/log${query}`);
const linesOf = (text: string) => text.split('\n').filter(Boolean);
const events = async (query = '') => linesOf((await log(query)).text).map((line) => JSON.parse(line));
const typesOf = (lines: readonly { type: string }[]) => [...new Set(lines.map(({ type }) => type))].toSorted();
const booked = 'category=appointment&type=AppointmentBooked';

/** A session of its own, to be ended. */
const session = async () => app.as((await app.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD })).body.token);

describe('the log', () => {
  it('is told as lines, each an event as a whole', async () => {
    const { id, project_id: projectId } = (await book(app.api, { notes: 'by the window' })).body;
    const { headers } = await log('?limit=1');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = await events(`?stream=appointment-${id}`);
    expect(lines).toEqual([
      {
        position: expect.stringMatching(/^\d{20}$/),
        stream: `appointment-${id}`,
        revision: 0,
        category: 'appointment',
        type: 'AppointmentBooked',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
        data: expect.objectContaining({ appointmentId: id, notes: 'by the window' }),
        envelope: expect.objectContaining({ $correlationId: expect.any(String), actor: expect.any(Object) }),
      },
    ]);
    expect(lines[0].data).not.toHaveProperty('at');
    if (projectId) expect(lines[0].data.projectId).toBe(projectId);
  });

  it('is the same and in order in one answer and in many', async () => {
    const whole = await events(`?${booked}`);
    expect(whole.length).toBeGreaterThanOrEqual(BOOKED);
    const positions = whole.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted());
    const parts = [];
    for (let after = '', part = whole; part.length > 0; after = `&after=${parts.at(-1)?.position}`) {
      part = await events(`?limit=70&${booked}${after}`);
      expect(part.length).toBeLessThanOrEqual(70);
      parts.push(...part);
    }
    expect(parts).toEqual(whole);
  });

  it('leaves out what is not asked for', async () => {
    const all = await events();
    const one = all.find(({ type }) => type === 'AppointmentBooked');
    const cases: readonly [string, (line: (typeof all)[number]) => boolean][] = [
      ['category=project,key', ({ category }) => ['project', 'key'].includes(category)],
      ['type=AppointmentBooked', ({ type }) => type === 'AppointmentBooked'],
      [`stream=${one.stream},nothing-1`, ({ stream }) => stream === one.stream],
      [`category=project&stream=${one.stream}`, () => false],
      ['category=songs', () => false],
    ];
    for (const [query, wanted] of cases) {
      const upTo = all.at(-1).position;
      const told = (await events(`?${query}`)).filter(({ position }) => position <= upTo);
      expect([query, told]).toEqual([query, all.filter(wanted)]);
    }
    expect(typesOf(all)).toEqual(expect.arrayContaining(['AppointmentBooked', 'ProjectCreated']));
  });

  it.each([
    ['after=yesterday', 'after'],
    [`after=${'9'.repeat(20)}`, 'after'],
    ['limit=some', 'limit'],
    ['follow=perhaps', 'follow'],
    ['type=One&type=Two', 'type'],
  ])('is refused by %s', async (query, param) => {
    expect(errorOf(await log(`?${query}`))).toEqual([400, 'invalid_request_error', 'parameter_invalid', param]);
  });

  it.each([
    ['0', 1],
    ['10001', BOOKED],
  ])('takes a limit of %s as the nearest possible one', async (limit, least) => {
    const { length } = await events(`?limit=${limit}&${booked}`);
    expect(limit === '0' ? length === least : length >= least).toBe(true);
  });

  it('is the administrator’s, and has a head alone where only that is asked for', async () => {
    expect(errorOf(await log('', app.as(null)))).toEqual([401, 'authentication_error', 'admin_session_invalid']);
    const { status, text } = await admin.send('HEAD', '/admin/v1/log', undefined);
    expect([status, text]).toEqual([200, '']);
  });

  it('contains no secret', async () => {
    const { secret } = (await admin.post(`/admin/v1/projects/${await projectId()}/api_keys`, { name: 'another' })).body;
    const headers = { 'x-token': 'a-value-of-a-header' };
    const endpoint = { url: backend.hook(200).url, event_filters: ['appointment.*'], headers };
    const registered = (await app.as(secret).post('/v1/webhook_endpoints', endpoint)).body;
    const rotated = (await app.as(secret).post(`/v1/webhook_endpoints/${registered.id}/rotate_secret`)).body;
    await admin.post('/admin/v1/password', { current_password: ADMIN_PASSWORD, new_password: ADMIN_PASSWORD });
    const { text } = await log();
    expect([registered.id, text.includes(registered.id)]).toEqual([expect.stringMatching(/^we_/), true]);
    const secrets = [secret, registered.secret, rotated.secret, API_KEY, ADMIN_PASSWORD, admin.token, headers['x-token']];
    for (const one of secrets) {
      expect(one).toHaveProperty('length', expect.any(Number));
      expect(text.includes(one)).toBe(false);
    }
  });
});

const projectId = async () => (await admin.get('/admin/v1/projects')).body.data[0].id as string;

describe('a log that is followed', () => {
  beforeEach(async () => void (admin = await app.admin()));

  it('begins at once, and goes on with each event that happens', async () => {
    const reader = await follow(`${booked}&after=${(await events()).at(-1).position}`);
    expect(reader.response.status).toBe(200);
    for (let n = 0; n < 3; n++) {
      const { id } = (await book(app.api)).body;
      await reader.has((lines) => expect(lines.map(({ data }) => data.appointmentId)).toContain(id));
    }
    expect([reader.lines.length, reader.ended]).toEqual([3, null]);
  });

  it('ends with its session, within five seconds', async () => {
    const own = await session();
    const [ending, other] = [await follow('', own), await follow('')];
    await own.post('/admin/v1/logout');
    await eventually(() => expect(ending.ended).toBe('properly'));
    expect(other.ended).toBeNull();
  });

  it('is not read by more than four of a session', async () => {
    const own = await session();
    for (let n = 0; n < 4; n++) expect((await follow('', own)).response.status).toBe(200);
    expect(errorOf(await log('', own))).toEqual([503, 'api_error', 'service_unavailable']);
  });

  it('ends when the gateway is asked to end, and goes on from there', async () => {
    const reader = await follow(booked);
    await reader.has((lines) => expect(lines.length).toBeGreaterThan(0));
    await app.stop();
    await eventually(() => expect(reader.ended).toBe('properly'));
    await app.restart();
    admin = await app.admin();
    const rest = await events(`?${booked}&after=${reader.lines.at(-1).position}`);
    expect([...reader.lines, ...rest]).toEqual(await events(`?${booked}`));
  });
});
