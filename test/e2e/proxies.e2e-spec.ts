import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { API_KEY, App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { runPage } from './harness/page.js';

let app: App;
beforeAll(async () => void (app = await App.start({ LOG_LEVEL: 'trace' })));
afterAll(() => app.dispose());

const FORWARDED = {
  'x-forwarded-for': '203.0.113.77',
  'x-forwarded-host': 'elsewhere.example',
  'x-forwarded-proto': 'https',
  'x-real-ip': '203.0.113.78',
  forwarded: 'for=203.0.113.79;host=elsewhere.example;proto=https',
};
/** `fetch` sets `Host` itself. */
async function answerTo(url: string, path: string, host: string): Promise<{ readonly text: string }> {
  const [answer] = (await once(get(`${url}${path}`, { headers: { host } }), 'response')) as [IncomingMessage];
  return { text: (await answer.setEncoding('utf8').toArray()).join('') };
}

const TRACES = /203\.0\.113\.|elsewhere\.example/;

describe('a proxy before the service', () => {
  it.each(['/openapi.json', '/docs', '/v1/conversations', '/v1/nothing', '/health'])(
    'changes nothing of %s by what it says of clients and addresses',
    async (path) => {
      const plain = await app.api.get(path);
      const forwarded = await app.api.get(path, FORWARDED);
      const shown = ({ status, text }: typeof plain) => [status, text.replaceAll(/req_\w+/g, 'req')];
      expect(shown(forwarded)).toEqual(shown(plain));
      expect(forwarded.text).not.toMatch(TRACES);
    },
  );

  it('is told of in no line of the log, but for the id that it gave the request', async () => {
    await app.api.get('/v1/events', { ...FORWARDED, 'x-request-id': 'from-the-proxy' });
    await eventually(() => expect(app.stderr).toContain('"client_request_id":"from-the-proxy"'));
    expect(app.stderr).not.toMatch(TRACES);
  });

  it('is named in the API document where it hands on the host that it was asked at, and nothing that is no host', async () => {
    const named = async (host: string) => {
      const { servers, info } = JSON.parse((await answerTo(app.url, '/openapi.json', host)).text);
      return [servers[0].variables.address.default, info.contact.url];
    };
    expect(await named('api.example.com')).toEqual(['http://api.example.com', 'http://api.example.com/docs']);
    expect(await named('a"b<c>')).toEqual([app.url, `${app.url}/docs`]);
  });

  it('is named in the API document by PUBLIC_URL', async () => {
    const behind = await App.start({ PUBLIC_URL: 'https://api.example.com' });
    const { body } = await behind.api.get('/openapi.json', FORWARDED);
    expect([body.servers[0].variables.address.default, body.info.contact.url]).toEqual([
      'https://api.example.com',
      'https://api.example.com/docs',
    ]);
    await behind.dispose();
  });

  it('may keep an idle connection for a minute', async () => {
    const { headers } = await app.api.get('/health', { connection: 'keep-alive' });
    const [, seconds = '0'] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBe(72);
  });

  it('that passes on a body of more than 256 KiB gets the error of the API', async () => {
    const { status, body } = await app.api.say('large', 'x'.repeat(300_000));
    expect([status, body.error.code]).toEqual([413, 'request_too_large']);
  });
});

describe('the page on proxies', () => {
  it('has a command that filters by time', async () => {
    const filledIn = { $API: `${app.url}/v1`, $KEY: API_KEY };
    const [list = ''] = await runPage('docs/proxies.md', filledIn);
    expect(JSON.parse(list)).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });
});
