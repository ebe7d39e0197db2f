import { App } from './harness/app.js';
import { unsayable } from './harness/unsayable.js';

let app: App;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  app = await App.start();
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => app.dispose());

interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: unknown };
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
}

const operations = () =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((item) => Object.values(item));

const namesOf = (word: string) =>
  operations()
    .map(({ operationId }) => operationId)
    .filter((name) => name.includes(word))
    .sort();

describe('a client generated from the OpenAPI document', () => {
  it('knows where the service is reached, whose it is and under which licence', async () => {
    const [{ url, variables }] = document.servers;
    const address = url.replace('{address}', variables.address.default);
    expect(address).toBe(app.url);
    expect((await fetch(`${address}/v1/customers`, { headers: { authorization: `Bearer ${app.api.token}` } })).status).toBe(200);
    expect(document.info.contact).toEqual({ name: document.info.title, url: `${address}/docs` });
    expect(document.info.license).toMatchObject({ name: 'MIT' });
  });

  it('has a class with a name for every schema, and none of a form that its language has no type for', () => {
    expect(unsayable(document)).toEqual([]);
  });

  it('finds every operation, that of webhooks too, under a heading of its own name', () => {
    const headings = document.tags.map(({ name }: { name: string }) => name);
    const tagged = [document.paths, document.webhooks].flatMap((items) =>
      Object.values<Record<string, { tags: readonly string[] }>>(items).flatMap((item) =>
        Object.values(item).map(({ tags }) => tags),
      ),
    );
    expect(tagged.filter((tags) => tags.length !== 1 || !headings.includes(tags[0]))).toEqual([]);
  });

  it('has no call of what it is sent', () => {
    expect(document.webhooks.event.post['x-internal']).toBe(true);
  });

  it('passes on the version that it read', () => {
    const { AppointmentResource, ConfirmAppointmentDto } = document.components.schemas;
    expect(AppointmentResource.properties.version.format).toBe('int64');
    expect(ConfirmAppointmentDto.properties.expected_version.format).toBe('int64');
  });

  it('may leave out every member of a body that has a default', () => {
    const schemas = Object.entries<{ properties?: Record<string, object> }>(document.components.schemas);
    const defaulted = schemas.flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, about]) => ('default' in about ? [`${schema}.${name}`] : [])),
    );
    expect(defaulted).toEqual([]);
    const told = (schema: string, name: string) => document.components.schemas[schema].properties[name].description;
    expect(told('SendMessageDto', 'markdown')).toMatch(/true when not given/);
    expect(told('PostMessageDto', 'markdown')).toMatch(/true when not given/);
    expect(told('RescheduleAppointmentDto', 'confirm')).toMatch(/false when not given/);
  });

  it('knows in which order each list comes', () => {
    const orders = operations().flatMap(({ operationId, parameters }) =>
      parameters.flatMap(({ name, schema }) => (name === 'order' ? [[operationId, schema.default]] : [])),
    );
    const oldestFirst = orders.filter(([, order]) => order === 'asc').map(([name]) => name);
    expect(oldestFirst.sort()).toEqual(['listAppointmentChanges', 'listMessages', 'listSessionTurns']);
    expect(orders.filter(([, order]) => order === 'desc')).toHaveLength(orders.length - 3);
  });

  it.each([
    [
      'Conversation',
      [
        'createConversation',
        'endConversation',
        'getConversation',
        'handOffConversation',
        'listConversations',
        'resumeConversation',
        'updateConversation',
      ],
    ],
    ['Message', ['getMessage', 'listMessages', 'postMessage', 'sendMessage', 'streamMessage']],
    ['Customer', ['createCustomer', 'deleteCustomer', 'exportCustomer', 'getCustomer', 'listCustomers', 'updateCustomer']],
    ['Session', ['addSessionTurn', 'closeSession', 'getSession', 'listSessionTurns', 'listSessions', 'openSession']],
    ['Event', ['explainEvent', 'getEvent', 'listEventDeliveries', 'listEvents', 'replayEvent']],
    ['Delivery', ['cancelDelivery', 'getDelivery', 'replayDelivery', 'retryDelivery']],
    ['Secret', ['rotateWebhookEndpointSecret']],
  ])('finds what it can do with a %s under a name that says so', (word, names) => {
    expect(namesOf(word)).toEqual(names);
  });

  it('has many only of what it lists, tries or retries, statistics aside', () => {
    const plural = operations().flatMap(({ operationId, parameters }) =>
      /^(?!test|retry).*(?<!Stat)s$/.test(operationId) ? [[operationId, parameters.some(({ name }) => name === 'limit')]] : [],
    );
    expect(plural.length).toBeGreaterThan(5);
    expect(plural.filter(([, isList]) => !isList)).toEqual([]);
  });
});
