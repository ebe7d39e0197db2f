import { App } from './harness/app.js';
import { book, change } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

let app: App;
let backend: Backend;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()]);
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

/** The headers of a webhook without Content-Type, which the document describes with the body. */
const PROMISED = [
  'Service-Attempt',
  'Service-Delivery-Id',
  'Service-Event-Type',
  'Service-Signature',
  'User-Agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly pattern?: string };
}

const operation = () => document.webhooks.event.post;
const schema = () => {
  const { $ref } = operation().requestBody.content['application/json'].schema;
  return document.components.schemas[$ref.split('/').at(-1)];
};

/** The webhooks of a booking and of a test event. */
async function received() {
  const hook = backend.hook();
  const { client, id } = await subscribe(app, hook.url);
  await book(client);
  await hook.received(1);
  await client.post(`/v1/webhook_endpoints/${id}/test`, {});
  return hook.received(2);
}

it('a delivery carries every header that the document names, in the form that it names', async () => {
  const parameters = operation().parameters as readonly Parameter[];
  expect(parameters.map(({ name }) => name).sort()).toEqual(PROMISED);
  for (const { headers } of await received())
    for (const { name, in: place, required, schema: form } of parameters) {
      expect([place, required]).toEqual(['header', true]);
      expect(headers[name.toLowerCase()]).toMatch(new RegExp(form.pattern ?? '^.+$', 'u'));
    }
});

it('asks for no API key', () => {
  expect(operation().security).toEqual([]);
});

it('its body has the members that the document requires, a test its mark beside them', async () => {
  const [event, test] = (await received()).map(({ body }) => JSON.parse(body));
  expect(Object.keys(event).sort()).toEqual([...schema().required].sort());
  expect(Object.keys(test).sort()).toEqual([...schema().required, 'test'].sort());
  expect(Object.keys(schema().properties)).toEqual(expect.arrayContaining(['test', 'thin']));
  expect(test.change.correlation_id).toBeNull();
  expect(document.components.schemas.ChangeResource.properties.correlation_id.type).toContain('null');
});

it('names every member that can be told to have been different, whichever change it was', async () => {
  const hook = backend.hook();
  const { client } = await subscribe(app, hook.url);
  const { id } = (await book(client)).body;
  await change(client, id, 'confirm');
  await change(client, id, 'reschedule', { starts_at: '2027-05-04T09:00:00Z' });
  await change(client, id, 'cancel');
  await change(client, id, 'rebook', { starts_at: '2027-05-05T09:00:00Z' });
  await change(client, id, 'fail', { code: 'calendar_unavailable', message: 'No answer.' });
  await change(client, id, 'rebook', { starts_at: '2027-05-06T09:00:00Z' });
  const told = (await hook.received(7)).flatMap(({ body }) => Object.keys(JSON.parse(body).previous_attributes));
  const { properties, required } = document.components.schemas.PreviousAttributesResource;
  expect([...new Set(told)].sort()).toEqual(Object.keys(properties).sort());
  expect(required).toEqual(['status']);
});
