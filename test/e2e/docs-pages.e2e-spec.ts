import { App } from './harness/app.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

async function clientCodes(): Promise<readonly string[]> {
  const { body } = await app.as(null).get('/openapi.json');
  return body.components.schemas.ErrorDetailsResource.properties.code.examples;
}

describe('the documentation', () => {
  it('needs nothing from elsewhere', async () => {
    const { text, headers } = await app.as(null).get('/docs');
    expect(text).not.toMatch(/(src|href)="https?:/);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const assets = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await app.as(null).get(path)).status).toBe(200);
  });

  it('leads who runs no scripts to the document and to the errors', async () => {
    const [, instead = ''] = (await app.as(null).get('/docs')).text.match(/<noscript>(.*?)<\/noscript>/s) ?? [];
    expect([...instead.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual(['/openapi.json', '/docs/errors']);
  });

  it.each([
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html'],
    ['/docs/errors', 'text/html'],
    ['/docs/start.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ])('has %s as %s', async (path, type) => {
    expect((await app.as(null).get(path)).headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  it('has an index of the errors, those of clients before those of administrators, in the order of the page', async () => {
    const { text } = await app.as(null).get('/docs/errors');
    const [, index = ''] = /<nav>(.*?)<\/nav>/s.exec(text) ?? [];
    const listed = [...index.matchAll(/href="#(\w+)"/g)].map(([, code]) => code ?? '');
    expect(listed).toEqual([...text.matchAll(/<section id="(\w+)">/g)].map(([, code]) => code));
    const clients = await clientCodes();
    expect(listed.filter((code) => clients.includes(code))).toEqual(listed.slice(0, clients.length));
    expect(listed.at(-1)).toMatch(/^(admin|backup|csrf)_/);
  });

  it('explains every code that can come', async () => {
    const { text } = await app.as(null).get('/docs/errors');
    const codes = await clientCodes();
    expect(codes.length).toBeGreaterThan(40);
    for (const code of codes) expect(text).toContain(`<section id="${code}">`);
    expect(text).toContain('<code>Authorization: Bearer &lt;API key&gt;</code>');
  });
});
