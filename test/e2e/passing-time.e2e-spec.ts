import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, eventsOf } from './harness/ledger.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;

let app: App;
beforeAll(async () => void (app = await App.start({ NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_MS: '0' })));
afterAll(() => app.dispose());

/** Restarts the service with its clock this far ahead. */
const after = (ms: number) => app.restart({ CLOCK_AHEAD_MS: String(ms) });

describe('a call that nobody closes', () => {
  it('is closed as stale after four hours, and not before', async () => {
    const { body: opened } = await app.api.post('/v1/sessions', { direction: 'inbound', external_id: 'CA-1' });
    await after(4 * HOUR - 10 * MINUTE);
    expect((await app.api.get(`/v1/sessions/${opened.id}`)).body).toMatchObject({ status: 'open', end_reason: null });
    await after(4 * HOUR);
    const closed = await eventually(async () => {
      const { body } = await app.api.get(`/v1/sessions/${opened.id}`);
      expect(body.status).toBe('closed');
      return body;
    });
    expect(closed).toMatchObject({ end_reason: 'stale', outcome: null });
    const again = await app.api.post('/v1/sessions', { direction: 'inbound', external_id: 'CA-1' });
    expect([again.status, again.body.id === opened.id]).toEqual([201, false]);
  });
});

describe('an event', () => {
  it('is there for thirty days, and then says that it has expired, once a clock that jumped has gone on for a day', async () => {
    await after(0);
    await app.api.post('/v1/webhook_endpoints', { url: 'https://hooks.example/late' });
    const { body: appointment } = await book(app.api);
    const [event] = await eventually(() => eventsOf(app.api, appointment.id));
    const delivery = await eventually(async () => {
      const { body } = await app.api.get(`/v1/deliveries?event_id=${event.id}`);
      expect(body.data).toHaveLength(1);
      return `/v1/deliveries/${body.data[0].id}`;
    });
    const paths = [`/v1/events/${event.id}`, `/v1/events/${event.id}/deliveries`, delivery];
    const ask = () => Promise.all(paths.map((path) => app.api.get(path)));
    await after(30 * DAY - 10 * MINUTE);
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await eventsOf(app.api, appointment.id)).toMatchObject([{ id: event.id }]);
    await after(30 * DAY + 10 * MINUTE);
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
    let ahead = 30 * DAY;
    await eventually(async () => {
      await after((ahead += 17 * HOUR));
      const expired = [404, 'invalid_request_error', 'event_expired', 'id'];
      expect((await ask()).map(errorOf)).toEqual(paths.map(() => expired));
      const commands = [`${delivery}/retry`, `${delivery}/cancel`, `/v1/events/${event.id}${delivery.slice('/v1'.length)}/retry`];
      for (const command of commands) expect(errorOf(await app.api.post(command))).toEqual(expired);
    });
    expect(await eventsOf(app.api, appointment.id)).toEqual([]);
    expect((await app.api.get(`/v1/appointments/${appointment.id}`)).body).toMatchObject({ status: 'pending', version: 1 });
  });
});

describe('an idempotency key', () => {
  it('belongs to its request for a day, and is then as good as new', async () => {
    await after(0);
    const { body: customer } = await app.api.post('/v1/customers', { email: 'daily@example.com' });
    const rename = (name: string) => app.api.patch(`/v1/customers/${customer.id}`, { name }, { 'idempotency-key': 'daily' });
    expect((await rename('Ann')).body.name).toBe('Ann');
    await after(DAY - 10 * MINUTE);
    expect(errorOf(await rename('Bea'))).toEqual([422, 'idempotency_error', 'idempotency_key_reused']);
    await after(DAY);
    expect((await rename('Bea')).body.name).toBe('Bea');
    expect((await app.api.get(`/v1/customers/${customer.id}`)).body.name).toBe('Bea');
  });
});
