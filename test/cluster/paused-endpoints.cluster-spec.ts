import { setTimeout as pause } from 'node:timers/promises';
import { App, type Part } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, type Hook } from '../e2e/harness/receiver.js';
import { OtherRelease } from './other-release.js';

/** No attempt begins later than this after the answer to a pause; and a little for the way to the receiver. */
const GRACE_MS = 2_000 + 250;

let backend: Backend;
let installation: Installation;
let gateway: App;
let projections: App;
let delivery: App;
let older: OtherRelease;

const start = (part: Part, bundle?: string) => App.start(LOCAL_HOOKS, installation, part, bundle);

beforeAll(async () => {
  [installation, backend] = [new Installation(), await Backend.start()];
  older = OtherRelease.of('0.0.9');
  gateway = await start('gateway');
  [projections, delivery] = await Promise.all([start('projections'), start('delivery')]);
});
afterAll(async () => {
  await Promise.all([gateway, projections, delivery].map((app) => app.kill()));
  await Promise.all([installation.dispose(), backend.close()]);
  older.remove();
});

async function endpoint(hook: Hook): Promise<string> {
  return (await gateway.api.post('/v1/webhook_endpoints', { url: hook.url })).body.id;
}

/** Counts up; each call waits for the booking. */
async function bookMany(count: number): Promise<void> {
  for (let booked = 0; booked < count; booked++) expect((await book(gateway.api)).status).toBe(201);
}

const eventsSince = async (count: number): Promise<string[]> =>
  (await gateway.api.get(`/v1/events?limit=${count}`)).body.data.map(({ id }: { id: string }) => id);

it('a pause under load stops the attempts of another process within two seconds, and a resumption loses nothing', async () => {
  const hook = backend.hook(200);
  const id = await endpoint(hook);
  await bookMany(10);
  await hook.received(10);
  const load = bookMany(40);
  expect((await gateway.api.post(`/v1/webhook_endpoints/${id}/pause`)).status).toBe(200);
  await pause(GRACE_MS);
  const sentByThen = hook.requests.length;
  await load;
  await bookMany(10);
  await pause(GRACE_MS);
  expect(hook.requests).toHaveLength(sentByThen);
  const [last = ''] = await eventsSince(1);
  expect(await deliveryIn('pending', gateway.api, last)).toMatchObject({ attempt_count: 0, next_attempt_at: null });

  expect((await gateway.api.post(`/v1/webhook_endpoints/${id}/resume`)).status).toBe(200);
  // The one that resumes them dies at it, and its successor goes on.
  await projections.kill();
  await projections.restart();
  const events = await eventsSince(60);
  await eventually(() => {
    const sent = new Set(hook.requests.map(({ headers }) => headers['webhook-id']));
    expect(events.filter((event) => !sent.has(event))).toEqual([]);
  });
  for (const event of events.slice(0, 10))
    expect(await deliveryIn('succeeded', gateway.api, event)).toMatchObject({ attempt_count: 1 });
  await gateway.api.delete(`/v1/webhook_endpoints/${id}`);
});

it('a pause is 503 with Retry-After while a process of an older release lives, and then accepted', async () => {
  const hook = backend.hook(200);
  const id = await endpoint(hook);
  const old = await start('delivery', older.bundle);
  const refused = await gateway.api.post(`/v1/webhook_endpoints/${id}/pause`);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await old.stop()).toBe(0);
  const accepted = await gateway.api.post(`/v1/webhook_endpoints/${id}/pause`);
  expect([accepted.status, accepted.body.status]).toEqual([200, 'paused']);
});
