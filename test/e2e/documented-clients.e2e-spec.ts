import { App } from './harness/app.js';

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

describe('a client generated from the OpenAPI document', () => {
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
    expect(oldestFirst.sort()).toEqual(['transcriptMessages', 'turnsSessions']);
    expect(orders.filter(([, order]) => order === 'desc')).toHaveLength(orders.length - 2);
  });
});
