import { App } from './harness/app.js';

let app: App;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  app = await App.start();
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => app.dispose());

type Operation = { readonly operationId: string; readonly responses: Record<string, unknown>; readonly security: unknown };
const operations = (): [string, string, Operation][] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );

describe('the OpenAPI document', () => {
  it('is 3.1 and about /v1 only', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).every((path) => path.startsWith('/v1/'))).toBe(true);
  });

  it.each([
    'post /v1/conversations',
    'get /v1/conversations',
    'get /v1/conversations/{id}',
    'post /v1/conversations/{id}/end',
    'post /v1/conversations/{id}/messages',
    'get /v1/conversations/{id}/messages',
    'post /v1/messages',
    'get /v1/customers',
    'post /v1/customers',
    'get /v1/customers/{id}',
    'patch /v1/customers/{id}',
    'delete /v1/customers/{id}',
  ])('describes %s', (name) => {
    expect(operations().map(([method, path]) => `${method} ${path}`)).toContain(name);
  });

  it('gives every operation a name of its own, its key and its refusals', () => {
    const names = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [, , { responses, security }] of operations()) {
      expect(security).toEqual([{ api_key: [] }]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
    }
  });

  it('has every schema that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  it('lets limit be any whole number, since it is clamped', () => {
    const { parameters } = document.paths['/v1/conversations'].get;
    const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).toEqual({ type: 'integer', default: 20 });
  });
});

describe('the documentation', () => {
  it('needs nothing from elsewhere', async () => {
    const { text, headers } = await app.as(null).get('/docs');
    expect(text).not.toMatch(/(src|href)="https?:/);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const assets = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await app.as(null).get(path)).status).toBe(200);
  });

  it('explains every code that can come', async () => {
    const { text } = await app.as(null).get('/docs/errors');
    const codes = document.components.schemas.ErrorDetailsResource.properties.code.enum as string[];
    expect(codes.length).toBeGreaterThan(40);
    for (const code of codes) expect(text).toContain(`<section id="${code}">`);
  });
});

it('an address without the version is not found', async () => {
  expect((await app.api.get('/conversations')).status).toBe(404);
});
