import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

interface Bytes {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** The bytes as they are sent: `fetch` would decompress them. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const asking = request(app.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Bytes['headers'], body: Buffer.concat(chunks) }),
      );
    });
    asking.once('error', reject);
    asking.end();
  });
}

const ASSET = /[\w-]+-[\w-]{8}\.(?:js|css)\b/g;
const MAX_BYTES = 81_920;
const PLACES = ['/admin/', '/admin/projects', '/admin/prj_x/deliveries/whd_y', '/admin/docsandmore', '/admin/no/such/place'];

/** Every asset by name, as brotli: those that the page names, and those that they name in turn. */
async function everyAsset(): Promise<ReadonlyMap<string, Bytes>> {
  const assets = new Map<string, Bytes>();
  const waiting = namesIn((await ask('/admin/')).body);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (assets.has(name)) continue;
    const asset = await ask(`/admin/assets/${name}`, { 'accept-encoding': 'br' });
    assets.set(name, asset);
    waiting.push(...namesIn(brotliDecompressSync(asset.body)));
  }
  return assets;
}

const namesIn = (text: Buffer): string[] => text.toString().match(ASSET) ?? [];
const anAsset = async () => `/admin/assets/${namesIn((await ask('/admin/')).body)[0]}`;

describe('the console', () => {
  it.each(['/', '/admin'])('is where %s leads to', async (path) => {
    const { status, headers } = await ask(path);
    expect([status, headers['location']]).toEqual([302, '/admin/']);
  });

  it.each(PLACES)('answers %s with its page, which may not be kept without asking', async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-cache']);
    expect(body.toString()).toMatch(/^<!doctype html>/i);
  });

  it('may run and load its own scripts and styles alone, and be in no frame', async () => {
    const { headers } = await ask('/admin/');
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['nosniff', 'no-referrer']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not take %s', async (method) => {
    const { status, headers, body } = await ask('/admin/projects', {}, method);
    expect([status, headers['allow'], JSON.parse(body.toString()).error.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  });

  it.each([
    ['/admin/v1', 401],
    ['/admin/v1/no-such-route', 401],
    ['/admin/assets/none-12345678.js', 404],
    ['/admin/assets/__proto__', 404],
    ['/admin/assets/', 404],
  ])('is not what %s is: %i in the envelope of the API', async (path, status) => {
    const answer = await app.as(null).get(path);
    expect(answer.status).toBe(status);
    expect(errorOf(answer)).toEqual([status, expect.any(String), expect.any(String)]);
  });

  it('answers HEAD like GET, without the page', async () => {
    const [get, head] = [await ask('/admin/'), await ask('/admin/', {}, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'etag', 'content-security-policy', 'cache-control'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

  it('answers 304 to whoever has the page already', async () => {
    const { headers } = await ask('/admin/');
    const again = await ask('/admin/', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
    expect((await ask('/admin/', { 'if-none-match': '"another"' })).status).toBe(200);
  });
});

describe('an asset of the console', () => {
  it('is kept for a year without asking: its name changes with its bytes', async () => {
    const { status, headers } = await ask(await anAsset());
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0', undefined],
    ['br;q=0.1', 'br'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['brotli', undefined],
    ['', undefined],
  ])('for those who accept "%s" is sent as %s', async (accepted, encoding) => {
    const path = await anAsset();
    const plain = (await ask(path)).body;
    const { headers, body } = await ask(path, { 'accept-encoding': accepted });
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect([headers['content-encoding'], headers['vary'], headers['content-length']]).toEqual([
      encoding,
      'Accept-Encoding',
      String(body.length),
    ]);
    expect(decode(body).equals(plain)).toBe(true);
  });

  it('is there, with its type, for every name that the page and its scripts use', async () => {
    const assets = await everyAsset();
    expect(assets.size).toBeGreaterThan(3);
    for (const [name, { status, headers }] of assets) {
      const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
      expect([name, status, headers['content-type']]).toEqual([name, 200, type]);
    }
  });

  it(`takes with the page and all others at most ${MAX_BYTES} bytes`, async () => {
    const page = await ask('/admin/', { 'accept-encoding': 'br' });
    const sizes = [...(await everyAsset()).values()].map(({ body }) => body.length);
    expect(sizes.reduce((sum, size) => sum + size, page.body.length)).toBeLessThanOrEqual(MAX_BYTES);
  });
});
