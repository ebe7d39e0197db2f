import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY, App } from './harness/app.js';
import { eventually } from './harness/eventually.js';

const JSON_TYPE = 'Content-Type: application/json';

let app: App;
let sockets: Set<Socket>;
beforeEach(() => void (sockets = new Set()));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.dispose();
});

function opened(localAddress: string): Socket {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => undefined);
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket.setEncoding('utf8').resume();
}

/** A post of which the head is whole and the body comes a byte a second. */
function slow(path: string, { token = API_KEY, address = '127.0.0.2', headers = [JSON_TYPE] } = {}): Socket {
  const socket = opened(address);
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, 'Content-Length: 1000'];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  const drip = setInterval(() => socket.write(' '), 1_000).unref();
  socket.once('close', () => clearInterval(drip));
  return socket;
}

async function statusOf(socket: Socket): Promise<number> {
  const [text] = (await once(socket, 'data')) as [string];
  return Number(text.split(' ')[1]);
}

/** Statuses of `/health` and `/ready`, each on a connection of its own. */
const probed = () =>
  Promise.all(
    ['/health', '/ready'].map((path) => {
      const socket = opened('127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      return Promise.race([statusOf(socket), pause(10_000, 0, { ref: false })]);
    }),
  );

describe('bodies that hardly arrive', () => {
  it.each([
    ['another address', '/v1/messages', '127.0.0.2', API_KEY],
    ['their own address', '/v1/messages', '127.0.0.1', API_KEY],
    ['another address, without a key', '/v1/messages', '127.0.0.2', 'sk_unknown'],
    ['another address, to the probes', '/health', '127.0.0.2', ''],
  ])('shut nobody out from %s', async (_, path, address, token) => {
    app = await App.start({ LOG_LEVEL: 'warn' });
    const other = await app.otherProject();
    let isOver = false;
    const stay = (): void => {
      if (!isOver) slow(path, { token, address }).once('close', () => setTimeout(stay, 20));
    };
    for (let n = 0; n < 4_050; n++) stay();
    await pause(2_000);
    for (let n = 0; n < 10; n++) {
      expect(await probed()).toEqual([200, 200]);
      expect((await other.say(`thread-${n}`, 'Hello')).status).toBe(200);
      expect((await other.get('/v1/customers')).status).toBe(200);
    }
    isOver = true;
  });

  it('of one project take a quarter of the connections; beyond it they are 429, and bodies that arrive are taken', async () => {
    app = await App.start();
    const crowd = Array.from({ length: 1_010 }, () => slow('/v1/conversations'));
    const answers: number[] = [];
    for (const socket of crowd) socket.once('data', (text: string) => answers.push(Number(text.split(' ')[1])));
    await eventually(() => expect(answers).toEqual(Array(10).fill(429)));
    expect((await app.api.post('/v1/conversations', {})).status).toBe(201);
    const message = await app.api.say('thread', 'Hello');
    expect([message.status, message.body.error?.code]).toEqual([429, 'rate_limit_exceeded']);
    expect((await (await app.otherProject()).say('thread', 'Hello')).status).toBe(200);
    expect(crowd.filter((socket) => !socket.destroyed).length).toBeGreaterThanOrEqual(1_000);
  });
});

describe('a rate limit counts a request by its head', () => {
  beforeEach(async () => void (app = await App.start({ RATE_LIMIT_WRITE: '1', RATE_LIMIT_MESSAGES: '1' })));

  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    app.api.raw('POST', '/v1/conversations', body, { 'content-type': 'application/json', ...headers });

  it('so that bodies which do not arrive use it up, and what is beyond it need not arrive to be refused', async () => {
    const crowd = Array.from({ length: 30 }, () => slow('/v1/conversations'));
    const answers: number[] = [];
    for (const socket of crowd) socket.once('data', (text: string) => answers.push(Number(text.split(' ')[1])));
    await eventually(() => expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10));
  });

  it.each([
    ['of another type', [415, 'content_type_unsupported'], '{}', { 'content-type': 'text/plain' }],
    ['too large', [413, 'request_too_large'], `{"a":"${'x'.repeat(300_000)}"}`, {}],
    ['no JSON', [400, 'json_invalid'], '{', {}],
  ] as const)('and what is beyond it is told of a fault that comes before: %s', async (_, fault, body, headers) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(body, headers)));
    expect(answers.map((answer) => [answer.status, answer.body.error.code])).toEqual(Array(8).fill(fault));
    expect(answers.filter((answer) => answer.headers.get('ratelimit-remaining') === '0').length).toBeGreaterThan(2);
  });

  it('but for one whose key is wrong or lacks the scope', async () => {
    const [reader, ofTwo] = [await app.otherProject('reading', ['conversations:read']), await app.otherProject('two')];
    const json = { 'content-type': 'application/json' };
    for (let n = 0; n < 8; n++) {
      expect((await reader.post('/v1/conversations', {})).status).toBe(403);
      const wrong = await ofTwo.raw('POST', '/v1/conversations', '{}', { ...json, 'idempotency-key': 'ü' });
      expect([wrong.status, wrong.headers.get('ratelimit-remaining')]).toEqual([400, null]);
    }
  });

  it('and what is beyond it is told so before it is told of a fault of its members', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('{"metadata":1}')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  });
});
