import { connect } from 'node:net';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

interface Said {
  readonly status: number;
  readonly head: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends these bytes, sends `more` after the first answer, and reads until the service closes the connection. */
async function heardAfter(bytes: string, more?: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise<string>((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.on('error', () => undefined).on('close', () => resolve(heard));
    if (more !== undefined) socket.once('data', () => socket.write(more));
  });
}

async function say(bytes: string): Promise<Said> {
  const [head = '', body = ''] = (await heardAfter(bytes)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) };
}

const JSON_BODY = ['Content-Type: application/json'] as const;

const request = (line: string, ...headers: string[]) =>
  say([`${line} HTTP/1.1`, `Authorization: Bearer ${app.api.token}`, 'Connection: close', ...headers, '', ''].join('\r\n'));

function expectError({ status, head, body }: Said, code: string): void {
  expect([status, Object.keys(body), body.error.code]).toEqual([status, ['error'], code]);
  expect(body.error.request_id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(head).toContain(`request-id: ${body.error.request_id.toLowerCase()}`);
  expect(head).toContain('content-type: application/json; charset=utf-8');
  expect(head).toContain('cache-control: no-store');
  expect(head).toContain('service-should-retry: false');
}

describe('the one form of errors is kept', () => {
  it.each([
    ['what is no HTTP', 400, 'parameter_invalid', () => say('NONSENSE\r\n\r\n')],
    ['a request without a Host', 400, 'parameter_missing', () => request('GET /v1/conversations')],
    [
      'headers of more than 16 KiB',
      413,
      'request_too_large',
      () => request('GET /health', 'Host: x', `X: ${'x'.repeat(17_000)}`),
    ],
    ['a path of more than 16 KiB', 413, 'request_too_large', () => request(`GET /v1/${'x'.repeat(17_000)}`, 'Host: x')],
    ['a second Host', 400, 'parameter_invalid', () => request('GET /v1/conversations', 'Host: x', 'Host: x')],
    ['a second key', 400, 'parameter_invalid', () => request('GET /v1/conversations', 'Host: x', 'Authorization: Bearer y')],
    [
      'two different Idempotency-Keys',
      400,
      'idempotency_key_invalid',
      () => request('POST /v1/conversations', 'Host: x', 'Idempotency-Key: aa', 'idempotency-key: bb', 'Content-Length: 0'),
    ],
    [
      'a compressed body',
      415,
      'content_type_unsupported',
      () => request('POST /v1/conversations', 'Host: x', ...JSON_BODY, 'Content-Encoding: gzip', 'Content-Length: 2', '', '{}'),
    ],
    ['a call for a tunnel', 404, 'route_not_found', () => request('CONNECT elsewhere.example:443', 'Host: x')],
  ] as const)('for %s, which has one line in the log', async (_what, status, code, asked) => {
    const said = await asked();
    expect(said.status).toBe(status);
    expectError(said, code);
    await eventually(() => expect(app.log.split(said.body.error.request_id)).toHaveLength(2));
  });

  it('for CONNECT to a path that has other methods', async () => {
    const said = await request('CONNECT /v1/conversations', 'Host: x');
    expect(said.status).toBe(405);
    expectError(said, 'method_not_allowed');
    expect(said.head).toContain('allow: get, head, post');
  });
});

describe('what a request says of itself does not matter', () => {
  it('when it sends one Idempotency-Key twice, or a body that it says is not encoded', async () => {
    const twice = ['Host: x', 'Idempotency-Key: cc', 'Idempotency-Key: cc', 'Content-Length: 0'] as const;
    expect((await request('POST /v1/conversations', ...twice)).status).toBe(201);
    expect((await request('POST /v1/conversations', ...twice)).head).toContain('idempotent-replayed: true');
    const plain = ['Host: x', ...JSON_BODY, 'Content-Encoding: identity', 'Content-Length: 2', ''] as const;
    expect((await request('POST /v1/conversations', ...plain, '{}')).status).toBe(201);
  });

  it('when it expects something unknown', async () => {
    expect((await request('GET /v1/conversations', 'Host: x', 'Expect: wonders')).status).toBe(200);
  });

  it('when it is written as a full URL', async () => {
    expect((await request('GET http://anywhere.example/v1/conversations', 'Host: x')).status).toBe(200);
  });

  it('when it is of HTTP/1.0, which knows no Host', async () => {
    expect((await say('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('when it announces chunks and sends none', async () => {
    const chunked = ['Host: x', 'Transfer-Encoding: chunked', '', '0'] as const;
    expect((await request('POST /v1/conversations', ...chunked)).status).toBe(201);
  });
});

it('takes a body in some thousand chunks, and refuses it in more', async () => {
  const body = (length: number) => [...`{${' '.repeat(length - 2)}}`].map((byte) => `1\r\n${byte}`).join('\r\n');
  const chunked = ['Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked', ''] as const;
  expect((await request('POST /v1/conversations', ...chunked, body(4_096), '0')).status).toBe(201);
  const refused = await request('POST /v1/conversations', ...chunked, body(5_000), '0');
  expect(refused.status).toBe(413);
  expectError(refused, 'request_too_large');
});

it('refuses chunks of no declared type', async () => {
  const said = await request('POST /v1/conversations', 'Host: x', 'Transfer-Encoding: chunked', '', '2', '{}', '0');
  expect(said.status).toBe(415);
  expectError(said, 'content_type_unsupported');
});

describe('a connection that brings more than requests', () => {
  const statuses = (heard: string) => [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const lines = (authorization: string | null, ...headers: string[]) =>
    ['POST /v1/conversations HTTP/1.1', 'Host: x', `Authorization: Bearer ${authorization}`, ...headers, '', ''].join('\r\n');
  const whole = () => `${lines(app.api.token, 'Content-Type: application/json', 'Content-Length: 2')}{}`;

  it('hears the answer to its request before it ends, and nothing else', async () => {
    expect(statuses(await heardAfter(`${whole()}NONSENSE\r\n\r\n`))).toEqual([201]);
    expect(statuses(await heardAfter(`${whole()}${whole()}NONSENSE\r\n\r\n`))).toEqual([201, 201]);
  });

  it('is told that a later request makes no sense when nothing is under way', async () => {
    expect(statuses(await heardAfter(whole(), 'NONSENSE\r\n\r\n'))).toEqual([201, 400]);
  });

  it('is answered once when its body never makes sense', async () => {
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'] as const;
    expect(statuses(await heardAfter(`${lines(app.api.token, ...chunked)}NONSENSE\r\n`))).toEqual([400]);
    expect(statuses(await heardAfter(lines('sk_wrong', ...chunked), 'NONSENSE\r\n'))).toEqual([401]);
  });
});

describe('a client that hangs up', () => {
  const head = (path: string, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${app.api.token}`, ...headers, '', ''].join('\r\n');

  async function hangUpAfter(bytes: string): Promise<void> {
    const { hostname, port } = new URL(app.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => setTimeout(() => socket.destroy(), 50)));
      socket.on('close', () => resolve());
    });
  }

  /** The logged statuses of requests that create a conversation. */
  const posts = (): readonly number[] =>
    app.stderr
      .split('\n')
      .filter((line) => line.includes('"method":"POST","route":"/v1/conversations"'))
      .map((line) => (JSON.parse(line) as { status: number }).status);

  it('on a tunnel that it called for does no harm', async () => {
    const { hostname, port } = new URL(app.url);
    for (let time = 0; time < 20; time++) {
      const socket = connect(Number(port), hostname, () => {
        socket.write('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.resetAndDestroy());
      });
      await new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
    }
    expect((await app.api.get('/health')).status).toBe(200);
  });

  it('leaves nothing in flight and a line in the log, wherever it was', async () => {
    const json = 'Content-Type: application/json';
    await hangUpAfter(`${head('/v1/conversations', json, 'Content-Length: 20')}{`);
    await hangUpAfter(head('/v1/conversations', 'Transfer-Encoding: chunked'));
    await hangUpAfter(`${head('/v1/conversations', json, 'Content-Length: 900000')}{`);
    await eventually(async () => expect(await app.requestsInFlight()).toBe(0));
    await eventually(() => expect(posts().slice(-3).toSorted()).toEqual([400, 413, 415]));
    expect(app.stderr).not.toContain('request failed');
  });
});
