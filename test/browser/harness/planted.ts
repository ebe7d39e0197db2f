import type { App } from '../../e2e/harness/app.js';
import type { Answer, Client } from '../../e2e/harness/client.js';
import { eventually } from '../../e2e/harness/eventually.js';
import { change, later, nextSlot } from '../../e2e/harness/ledger.js';
import type { Hook } from '../../e2e/harness/receiver.js';

/** One thing of each kind, by the word of its place, or by the whole place where that word has another. */
export interface Planted {
  readonly project: string;
  readonly client: Client;
  readonly ids: Readonly<Record<string, string>>;
}

/** A text, cut to what a field takes. */
type Text = (max: number) => string;

/** As a header's value or a part of an address takes it: without spaces, and in ASCII. */
const plain = (text: string) => text.replaceAll(/[^!-~]/g, '');

/** Makes a project with one of everything, and the text in every field that somebody outside can fill. */
export async function planted(app: App, hook: Hook, text: Text): Promise<Planted> {
  const admin = await app.admin();
  const project = await made(admin.post('/admin/v1/projects', { name: text(255) }));
  await made(admin.patch(`/admin/v1/projects/${project}`, { agent: { instructions: text(16_000) }, handoff_reply: text(2_000) }));
  const { body: key } = await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: text(255) });
  const client = app.as(key.secret);
  // At most 16 KiB of JSON, where a letter may take several bytes.
  const metadata = { [text(100)]: text(14_000) };
  const endpoints = await plantedEndpoint(client, hook, text, metadata);
  const ofPeople = await plantedPeople(client, text, metadata);
  await hook.received();
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const tasks = await made(client.post(`/v1/webhook_endpoints/${endpoints}/recover`, { since }));
  const newest = (list: string) => eventually(async () => (await client.get(`/v1/${list}?limit=1`)).body.data[0].id as string);
  const events = await newest('events');
  // Where an event has several deliveries, their links stand below each other.
  await client.post(`/v1/events/${events}/replay`);
  const rebuild = await made(admin.post('/admin/v1/projections/customers/rebuild'));
  const ofEvents = { events, deliveries: await newest('deliveries') };
  const ofInstallation = { projects: project, projections: 'appointments', 'tasks/:id': rebuild };
  return { project, client, ids: { ...ofInstallation, endpoints, tasks, ...ofEvents, ...ofPeople } };
}

function plantedEndpoint(client: Client, hook: Hook, text: Text, metadata: object): Promise<string> {
  const headers = { [`x-${'long-'.repeat(19)}`]: plain(text(1_024)) };
  const url = `${hook.url}?${encodeURIComponent(text(400))}`;
  return made(client.post('/v1/webhook_endpoints', { url, description: text(1_000), metadata, headers }));
}

/** A customer, a call of theirs that is over, a cancelled appointment and a conversation that was handed over. */
async function plantedPeople(client: Client, text: Text, metadata: object) {
  const person = { phone: '+4915112345678', email: `${'w'.repeat(64)}@${'example.'.repeat(20)}com` };
  const named = { external_id: text(255), metadata };
  const customers = await made(client.post('/v1/customers', { name: text(255), ...named, ...person }));
  const parties = { from: `sip:${plain(text(200))}`, to: `sip:${plain(text(200))}` };
  const calls = await made(client.post('/v1/sessions', { direction: 'inbound', customer: person, ...parties, ...named }));
  await made(client.post(`/v1/sessions/${calls}/turns`, { role: 'user', content: text(8_000) }));
  await made(client.post(`/v1/sessions/${calls}/close`, { end_reason: text(255), summary: text(8_000) }));
  const place = { resource_id: text(255), location: text(1_000), notes: text(4_000) };
  const starts_at = nextSlot();
  const appointments = await made(
    client.post('/v1/appointments', { service: text(255), starts_at, customer_id: customers, ...place, ...named }),
  );
  await made(change(client, appointments, 'reschedule', { starts_at: later(starts_at), reason: text(255) }));
  await made(change(client, appointments, 'cancel', { cancelled_by: 'customer', reason: text(255) }));
  const said = { external_conversation_id: text(255), content: text(8_000), metadata };
  const { body } = await client.post('/v1/messages', said);
  const conversations: string = body.conversation.id;
  await made(client.post(`/v1/conversations/${conversations}/handoff`, { reason: text(255), summary: text(2_000) }));
  return { customers, calls, appointments, conversations };
}

/** The id of what was made. Rejects where it was refused. */
export async function made(answer: Promise<Answer>): Promise<string> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`Not made: ${status} ${text.slice(0, 500)}`);
  return body.id;
}
