import { ANY, EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client';
import { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book, change } from '../e2e/harness/ledger.js';
import { Backend, LOCAL_HOOKS, type Hook } from '../e2e/harness/receiver.js';

const PARTS = ['delivery', 'projections', 'gateway'] as const;
const LISTS = ['conversations', 'customers', 'sessions', 'appointments', 'events', 'webhook_endpoints'];
/** A server without TLS ignores them; without any the driver appends in another way, which the double does not know. */
const CREDENTIALS = { username: 'admin', password: 'changeit' };
const CUSTOMER = { phone: '+4930123456', name: 'Ann' };

let installation: Installation;
let backend: Backend;
let apps: Readonly<Record<(typeof PARTS)[number], App>>;
let hook: Hook;
beforeAll(async () => {
  [installation, backend] = [new Installation(), await Backend.start()];
  const [delivery, projections, gateway] = await Promise.all(PARTS.map((part) => App.start(LOCAL_HOOKS, installation, part)));
  apps = { delivery: delivery!, projections: projections!, gateway: gateway! };
  hook = backend.hook(503, 200);
});
afterAll(async () => {
  await Promise.all(PARTS.map((part) => apps[part].kill()));
  await Promise.all([installation.dispose(), backend.close()]);
});

const api = () => apps.gateway.api;

/** Appends to every stream that there is, as a process of a later version would that runs beside these; resolves to their number. */
async function appendToEveryStream(): Promise<number> {
  const client = EventStoreDBClient.connectionString(installation.variables['EVENTSTORE_URL']!);
  const streams = new Set<string>();
  for await (const { event } of client.readAll({ fromPosition: START })) {
    if (event?.streamId.startsWith(installation.prefix) && !/reactor-|log-identity/.test(event.streamId)) {
      streams.add(event.streamId);
    }
  }
  const type = 'SomethingOfALaterVersion';
  const data = { type, at: Date.now(), projectId: 'prj_other', of: 'a later version', status: 'ended', customerId: null };
  const metadata = { $correlationId: 'cor_later', ofALaterVersion: true };
  for (const stream of streams) {
    await client.appendToStream(stream, jsonEvent({ type, data, metadata }), { expectedRevision: ANY, credentials: CREDENTIALS });
  }
  await client.dispose();
  return streams.size;
}

/** What a client sees: every list, and each thing in it. */
async function everything(): Promise<readonly object[]> {
  const read = async (path: string) => {
    const { status, body } = await api().get(path);
    return { path, status, body };
  };
  const seen: object[] = [];
  for (const list of LISTS) {
    const { status, body } = await read(`/v1/${list}`);
    seen.push({ list, status, body });
    for (const { id } of body.data as { id: string }[]) {
      seen.push(await read(`/v1/${list}/${id}`));
      if (list === 'conversations') seen.push(await read(`/v1/${list}/${id}/messages`));
      if (list === 'events') seen.push(await read(`/v1/${list}/${id}/deliveries`));
    }
  }
  return seen;
}

it('events that only a later version knows, in every stream, change nothing for processes of this one, which go on', async () => {
  await api().post('/v1/webhook_endpoints', { url: hook.url });
  const { body: said } = await api().say('ann', 'Hello', { customer: CUSTOMER });
  const { body: call } = await api().post('/v1/sessions', { external_id: 'call-1', direction: 'inbound', customer: CUSTOMER });
  const { body: booked } = await book(api(), { customer: CUSTOMER });
  await hook.received(2);
  await eventually(async () => {
    const { body } = await api().get('/v1/events');
    const { body: deliveries } = await api().get(`/v1/events/${body.data[0].id}/deliveries`);
    expect(deliveries.data[0].status).toBe('succeeded');
  });
  const before = await everything();

  expect(await appendToEveryStream()).toBeGreaterThan(10);
  expect(await everything()).toEqual(before);
  for (const part of PARTS) await apps[part].restart();
  expect(await everything()).toEqual(before);

  const again = await api().say('ann', 'And on Tuesday?');
  expect([again.status, again.body.conversation_id]).toEqual([200, said.conversation_id]);
  expect((await change(api(), booked.id, 'confirm')).body.status).toBe('confirmed');
  expect((await api().post(`/v1/sessions/${call.id}/close`, {})).status).toBe(200);
  expect((await api().post(`/v1/conversations/${said.conversation_id}/end`, {})).status).toBe(200);
  const known = await api().get('/v1/customers');
  expect(known.body.data.length).toBe(1);
  await hook.received(3);
  expect(JSON.parse(hook.requests[2]!.body)).toMatchObject({ type: 'appointment.confirmed' });
  const { body: conversations } = await api().get('/v1/conversations');
  expect(conversations.data[0]).toMatchObject({ id: said.conversation_id, status: 'ended' });
});
