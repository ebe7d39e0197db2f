import { App } from './harness/app.js';

let app: App;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  app = await App.start();
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => app.dispose());

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
});
