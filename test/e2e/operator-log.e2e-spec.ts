import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { ENGINE } from './harness/installation.js';
import { eventually } from './harness/eventually.js';
import { book, nextSlot } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

/** The log's lines of all starts. */
// oxlint-disable-next-line typescript/no-explicit-any
const lines = (): any[] =>
  app.log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

const saying = (text: string) => lines().filter(({ msg }) => msg === text);

/** The line of an answered request. */
const lineOf = (answer: Answer) =>
  eventually(() => {
    const line = lines().find(({ request_id: id }) => id === answer.headers.get('request-id'));
    expect(line).toBeDefined();
    return line;
  });

describe('the line of a request', () => {
  it('has the code of the error that it was answered with, wherever it was refused, and none otherwise', async () => {
    const json = { 'content-type': 'application/json' };
    const answers = [
      await app.as('sk_nobody_nobody_nobody_nobody').get('/v1/conversations'),
      await app.api.get('/v1/nothing'),
      await app.api.raw('POST', '/v1/messages', '{"content":', json),
      await app.api.post('/v1/messages', {}),
      await app.api.get('/v1/customers/cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0'),
    ];
    for (const answer of answers) {
      expect(await lineOf(answer)).toMatchObject({ status: answer.status, error_code: answer.body.error.code });
    }
    expect(await lineOf(await app.api.get('/v1/conversations'))).not.toHaveProperty('error_code');
  });

  it('has the code of a refusal that was kept under its key', async () => {
    const { body } = await book(app.api);
    const moved = { starts_at: nextSlot() };
    const again = () => app.api.post(`/v1/appointments/${body.id}/rebook`, moved, { 'idempotency-key': 'refused' });
    const [first, second] = [await again(), await again()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    for (const answer of [first, second]) expect(await lineOf(answer)).toMatchObject({ error_code: first.body.error.code });
  });
});

describe('the log', () => {
  it('tells of a start: which version on which engine, what it serves and where, and none of the framework', async () => {
    const started = { engine: ENGINE, serves: 'gateway, projections, delivery', address: app.url };
    await eventually(() => expect(saying('started')).toMatchObject([{ ...started, version: expect.stringMatching(/^\d/) }]));
    expect(lines().filter(({ component }) => /Instance|Nest|Route/.test(component))).toEqual([]);
  });

  it('tells of a read model that is made anew when it begins, and when it is done with how many rows and how long it took', async () => {
    for (let n = 0; n < 3; n++) await app.api.say(`rebuilt-${n}`, 'Hello');
    const count = (await app.api.get('/v1/conversations?limit=100')).body.data.length;
    await (await app.admin()).post('/admin/v1/projections/conversations/rebuild');
    await eventually(() => {
      const told = lines().filter(({ component, msg }) => component === 'projection conversations' && msg.startsWith('rebuild '));
      expect(told).toMatchObject([
        { msg: 'rebuild begun' },
        { msg: 'rebuild finished', rows: count, duration_ms: expect.any(Number) },
      ]);
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'tells which signal ended the service, %s, and that nothing was left',
    async (signal) => {
      const before = saying('stopped').length;
      expect(await app.stop(signal)).toBe(0);
      expect(saying('stopping').at(-1)).toMatchObject({ signal });
      expect(saying('stopped').slice(before)).toMatchObject([{ signal, drained: true, duration_ms: expect.any(Number) }]);
      await app.restart();
    },
  );
});
