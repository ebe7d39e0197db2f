import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { Receiver } from '@testing/receiver';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const TIMEOUT_MS = 3_000;
const OK = 'HTTP/1.1 200 OK\r\n';

let app: App;
let backend: Backend;
const receivers: Receiver[] = [];
beforeAll(async () => {
  const variables = { ...LOCAL_HOOKS, WEBHOOK_TIMEOUT_MS: `${TIMEOUT_MS}` };
  [backend, app] = await Promise.all([Backend.start(), App.start(variables)]);
});
afterAll(() => Promise.all([app.dispose(), backend.close(), ...receivers.map((receiver) => receiver.close())]));

/** Answers every request with these bytes, and leaves the connection open. */
async function saying(text: string | Buffer, then: (socket: Socket) => void = () => undefined): Promise<Receiver> {
  const receiver = await Receiver.tcp((socket) => {
    socket.on('data', () => {
      socket.write(text);
      then(socket);
    });
  });
  receivers.push(receiver);
  return receiver;
}

describe('an answer that is not as it should be', () => {
  it.each([
    ['has a header of 20 KB', `${OK}X: ${'x'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`, true, false],
    ['has lines that end with a line feed alone', `${OK}Content-Length: 0\r\n\r\n`.replaceAll('\r\n', '\n'), false, false],
    ['contradicts itself about its length', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nok`, false, true],
    ['is chunked badly', `${OK}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`, false, true],
    ['has no more than a status', OK, true, true],
  ])('but %s is taken by its status', async (_what, text, response_headers_truncated, response_body_truncated) => {
    const told = { response_headers_truncated, response_body_truncated, error_code: null };
    const good = await subscribe(app, (await saying(text)).url());
    const bad = await subscribe(app, (await saying(text.replace('200', '400'))).url());
    await Promise.all([book(good.client), book(bad.client)]);
    const succeeded = await deliveryIn('succeeded', good.client);
    expect(succeeded.attempts).toMatchObject([{ ...told, outcome: 'succeeded', response_status: 200 }]);
    const failed = await deliveryIn('failed', bad.client);
    expect(failed).toMatchObject({ failure_reason: 'permanent_rejection', attempts: [{ ...told, response_status: 400 }] });
  });

  it.each([200, 500])('but never ends leaves room for others: %d', async (status) => {
    const receiver = await saying(`HTTP/1.1 ${status} Well\r\n\r\nbegun`);
    const { client } = await subscribe(app, receiver.url());
    await Promise.all(Array.from({ length: 40 }, () => book(client)));
    const begunAt = Date.now();
    await receiver.until(({ connections }) => connections >= 40);
    expect(Date.now() - begunAt).toBeLessThan(TIMEOUT_MS);
    expect((await deliveryIn(status === 200 ? 'succeeded' : 'failed', client)).attempts[0]).toMatchObject({
      response_status: status,
      response_body: 'begun',
      response_body_truncated: true,
    });
  });

  it.each([
    ['in Latin-1 that no header names', { 'content-type': 'text/plain' }, Buffer.from('größer', 'latin1')],
    ['in Latin-1', { 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('größer', 'latin1')],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('größer')],
  ])('can be read where it is a failure %s', async (_how, headers, body) => {
    const hook = backend.hook((_, response) => void response.writeHead(400, headers).end(body));
    const { client } = await subscribe(app, hook.url);
    await book(client);
    expect((await deliveryIn('failed', client)).attempts).toMatchObject([{ response_body: 'größer' }]);
  });
});

describe('what is no fault of the receiver', () => {
  it('costs no attempt: an idle connection that ends at the moment of its next request', async () => {
    let requests = 0;
    const receiver = await Receiver.tcp((socket) => {
      let own = 0;
      socket.on('data', () => {
        requests++;
        if (++own === 1) socket.write(`${OK}Content-Length: 0\r\n\r\n`);
        else socket.resetAndDestroy();
      });
    });
    receivers.push(receiver);
    const { client } = await subscribe(app, receiver.url());
    for (let n = 0; n < 3; n++) {
      await book(client);
      expect(await deliveryIn('succeeded', client)).toMatchObject({ attempt_count: 1 });
    }
    expect(requests).toBeGreaterThan(3);
  });

  it('costs no attempt: an answer that lay unread while the process was stopped', async () => {
    let answer = (): void => undefined;
    const hook = backend.hook((_, response) => void (answer = () => void response.end('late')));
    const { client } = await subscribe(app, hook.url);
    await book(client);
    await hook.received();
    const suspended = app.suspend(TIMEOUT_MS + 2_000);
    answer();
    await suspended;
    expect(await deliveryIn('succeeded', client)).toMatchObject({ attempt_count: 1, attempts: [{ response_status: 200 }] });
    expect(hook.requests).toHaveLength(1);
  });
});

describe('the values of custom headers', () => {
  const TOKEN = 'Bearer tok-canary-4711';

  it('are sent, and shown, stored, repeated and logged nowhere', async () => {
    const hook = backend.hook((request, response) => {
      const heard = String(request.headers.authorization);
      response.writeHead(400, { 'x-heard': heard }).end(JSON.stringify({ heard, token: heard.split(' ')[1] }));
    });
    const { client, id } = await subscribe(app, hook.url);
    const key = { 'idempotency-key': 'headers-1' };
    const headers = { Authorization: TOKEN };
    const masked = { Authorization: '********' };
    const path = `/v1/webhook_endpoints/${id}`;
    const answers = [
      await client.patch(path, { headers }, key),
      await client.patch(path, { headers }, key),
      await client.get(path),
      await client.patch(path, { description: 'x' }),
      await client.post(`${path}/rotate_secret`),
      await client.post('/v1/webhook_endpoints', { url: `${hook.url}x`, headers }),
    ];
    for (const { body } of answers) expect(body.headers).toEqual(masked);
    expect((await client.get('/v1/webhook_endpoints')).body.data.map((one: any) => one.headers)).toEqual([masked, masked]);
    await book(client);
    const [request] = await hook.received();
    expect(request?.headers.authorization).toBe(TOKEN);
    const delivery = await eventually(async () => {
      const found = (await deliveriesOf(client)).find(({ url }) => url === hook.url);
      expect(found.status).toBe('failed');
      return found;
    });
    expect(delivery.attempts).toMatchObject([
      { response_headers: { 'x-heard': '********' }, response_body: '{"heard":"********","token":"********"}' },
    ]);
    expect((await app.stored()).includes('canary-4711')).toBe(false);
    expect(app.log).not.toContain('canary-4711');
  });

  it('are kept by a change that sends them back as they are shown, and stay on their host', async () => {
    const hook = backend.hook();
    const { client, id } = await subscribe(app, hook.url, { headers: { Authorization: TOKEN, 'X-Env': 'prod' } });
    const path = `/v1/webhook_endpoints/${id}`;
    const { body } = await client.get(path);
    await client.patch(path, { headers: { ...body.headers, 'X-Env': 'dev' } });
    await book(client);
    expect((await hook.received())[0]?.headers).toMatchObject({ authorization: TOKEN, 'x-env': 'dev' });
    const elsewhere = await Receiver.http();
    receivers.push(elsewhere);
    const refused = await client.patch(path, { url: elsewhere.url(), headers: body.headers });
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([400, 'parameter_invalid', 'headers']);
    expect((await client.patch(path, { url: elsewhere.url() })).body.headers).toEqual({});
    await book(client);
    await elsewhere.until(({ requests }) => requests.length > 0);
    expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization');
    expect((await client.patch(path, { url: hook.url, headers: { 'X-Env': 'prod' } })).body.headers).toEqual({
      'X-Env': '********',
    });
  });
});

describe('the attempts of an event', () => {
  it('keep of a long answer as much as the schedule leaves room for', async () => {
    const headers = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x-${n}`, 'h'.repeat(1_000)]));
    const hook = backend.hook((_, response) => void response.writeHead(500, headers).end('b'.repeat(16 * 1_024)));
    const long = await App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: `0s${',10ms'.repeat(5)}` });
    try {
      const { client } = await subscribe(long, hook.url);
      await book(client);
      const { attempts } = await deliveryIn('failed', client);
      expect(attempts.map(({ response_body: { length } }: any) => length)).toEqual([
        16_384, 1_024, 1_024, 16_384, 16_384, 16_384,
      ]);
      for (const { response_headers, response_headers_truncated } of attempts) {
        expect(Object.entries(response_headers).flat().join('').length).toBeLessThanOrEqual(2_048);
        expect(response_headers_truncated).toBe(true);
      }
    } finally {
      await long.dispose();
    }
  });
});
