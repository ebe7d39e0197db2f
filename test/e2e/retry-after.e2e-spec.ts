import type { RequestListener } from 'node:http';
import { App } from './harness/app.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const HOUR = 3_600_000;
const S = 1_000;

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,10s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const busy =
  (status: number, headers: Readonly<Record<string, string>>): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end();

/** For how long a delivery waits after an attempt that is answered so. */
async function waitAfter(answer: RequestListener): Promise<number> {
  const { client } = await subscribe(app, backend.hook(answer).url);
  await book(client);
  const { attempts, next_attempt_at } = await deliveryIn('retrying', client);
  const [{ started_at, duration_ms }] = attempts;
  return Date.parse(next_attempt_at) - Date.parse(started_at) - duration_ms;
}

/** The end of an attempt is some milliseconds later than its answer. */
function expectAbout(waitMs: number, expected: number): void {
  expect(waitMs).toBeGreaterThanOrEqual(expected - S);
  expect(waitMs).toBeLessThan(expected + 5 * S);
}

describe('Retry-After', () => {
  it.each([429, 503])('of a %i makes the wait longer, and next_attempt_at shows it', async (status) => {
    expectAbout(await waitAfter(busy(status, { 'retry-after': '600' })), 600 * S);
  });

  it('never makes it shorter', async () => {
    expectAbout(await waitAfter(busy(503, { 'retry-after': '1' })), 10 * S);
  });

  it('makes it longer by an hour at most', async () => {
    expectAbout(await waitAfter(busy(429, { 'retry-after': '86400' })), HOUR + 10 * S);
  });

  it('may be a date by the clock of the receiver', async () => {
    const [date, until] = [0, 120 * S].map((ms) => new Date(Date.UTC(2031, 0) + ms).toUTCString());
    expectAbout(await waitAfter(busy(503, { date: date!, 'retry-after': until! })), 120 * S);
  });

  it.each([
    ['of another answer', 500, '600'],
    ['that nobody can read', 503, 'later'],
  ])('%s is ignored', async (_, status, asked) => {
    expectAbout(await waitAfter(busy(status, { 'retry-after': asked })), 10 * S);
  });

  it('is kept: the attempt is made then, and not before', async () => {
    const hook = backend.hook(busy(429, { 'retry-after': '13' }), 200);
    const { client } = await subscribe(app, hook.url);
    await book(client);
    const { attempts } = await deliveryIn('succeeded', client);
    const [first, second] = attempts.map(({ started_at }: { started_at: string }) => Date.parse(started_at));
    expect(second - first).toBeGreaterThanOrEqual(13 * S);
    expect(second - first).toBeLessThan(20 * S);
  });
});
