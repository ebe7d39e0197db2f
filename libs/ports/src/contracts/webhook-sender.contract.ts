import { Receiver } from '@testing/receiver';
import type { SendResult, WebhookRequest, WebhookSender } from '../webhook-sender.port.js';

export interface WebhookSenderHarness {
  /** Sends to `http:` targets; its deadline is 15 s on a clock that only `elapse` moves. */
  readonly sender: WebhookSender;
  elapse(ms: number): Promise<void>;
}

const DEADLINE_MS = 15_000;
const BODY_MS = 1_000;
const MAX_ANSWER_BYTES = 16 * 1024;

const requestTo = (url: string, more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  projectId: 'prj_1',
  url,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'webhook-id': 'evt_1' },
  body: '{"a":"ünï🎉"}',
  ...more,
});

/** `make('loopback')` may reach 127.0.0.1, `make('public')` only public addresses. */
export function webhookSenderContract(name: string, make: (reach: 'loopback' | 'public') => WebhookSenderHarness): void {
  describe(`${name} is a WebhookSender`, () => {
    let harness: WebhookSenderHarness;
    const open: { close(): Promise<void> }[] = [];
    const opened = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => (open.unshift(thing), thing);
    const receiving = async (...how: Parameters<typeof Receiver.http>) => opened(await Receiver.http(...how));
    const talking = async (...how: Parameters<typeof Receiver.tcp>) => opened(await Receiver.tcp(...how));
    const send = (url: string, more?: Partial<WebhookRequest>) => harness.sender.send(requestTo(url, more));

    beforeEach(() => {
      harness = make('loopback');
      opened(harness.sender);
    });
    afterEach(async () => {
      for (const thing of open.splice(0).reverse()) if (thing !== harness.sender) await thing.close();
      await harness.sender.close();
    });

    /** Resolves when everything sent before has arrived. */
    const roundTrip = async () => void (await send((await receiving()).url()));

    describe('what is sent', () => {
      it('is one POST of exactly these bytes and headers', async () => {
        const receiver = await receiving();
        await send(receiver.url('/hooks?a=b%20c'));
        const [{ method, path, headers, body } = fail()] = receiver.requests;
        expect(receiver.requests).toHaveLength(1);
        expect({ method, path, body }).toEqual({ method: 'POST', path: '/hooks?a=b%20c', body: '{"a":"ünï🎉"}' });
        expect(headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'webhook-id': 'evt_1',
          'content-length': '17',
          host: `127.0.0.1:${receiver.port}`,
        });
      });

      it.each([
        [{}, '*/*'],
        [{ Accept: 'text/plain' }, 'text/plain'],
        [{ ACCEPT: 'text/plain' }, 'text/plain'],
      ])('accepts any answer, unless its headers say otherwise: %j', async (headers, accept) => {
        const receiver = await receiving();
        await send(receiver.url(), { headers });
        expect(receiver.requests[0]?.headers.accept).toBe(accept);
      });

      it('asks for no compression, and leaves the framing to the sender', async () => {
        const receiver = await receiving();
        const headers = {
          'Accept-Encoding': 'gzip',
          'Content-Length': '9999',
          Host: 'evil',
          'Transfer-Encoding': 'chunked',
          Expect: 'x',
        };
        expect(await send(receiver.url(), { headers })).toMatchObject({ kind: 'answered', status: 200 });
        const [{ headers: seen } = fail()] = receiver.requests;
        expect(seen).toMatchObject({ 'accept-encoding': 'identity', 'content-length': '17', host: `127.0.0.1:${receiver.port}` });
        expect(seen).not.toHaveProperty('transfer-encoding');
      });

      it.each(['a\r\nX-Evil: 1', 'nul\u0000', 'wide \u4e2d', 'line\n'])('is nothing when a header holds %j', async (value) => {
        const receiver = await receiving();
        expect(await send(receiver.url(), { headers: { 'X-Env': value } })).toMatchObject({
          kind: 'unreached',
          error: 'network_error',
        });
        expect(await send(receiver.url(), { headers: { [`X-${value}`]: 'prod' } })).toMatchObject({ kind: 'unreached' });
        await roundTrip();
        expect(receiver.requests).toEqual([]);
      });
    });

    describe('an answer', () => {
      it('is told with its headers, its text and the address it came from', async () => {
        const receiver = await receiving((_, response) => void response.writeHead(200, { 'X-Seen': 'Yes' }).end('thänks'));
        expect(await send(receiver.url())).toMatchObject({
          kind: 'answered',
          status: 200,
          headers: { 'x-seen': 'Yes' },
          headersTruncated: false,
          body: 'thänks',
          bodyTruncated: false,
          remoteIp: '127.0.0.1',
          durationMs: 0,
        });
      });

      it.each([200, 201, 204, 299, 304, 400, 404, 408, 410, 429, 500, 503, 599])('of %i is an answer', async (status) => {
        const receiver = await receiving((_, response) => void response.writeHead(status, { 'Retry-After': '7' }).end());
        const result = await send(receiver.url());
        expect(result).toMatchObject({ kind: 'answered', status, headers: { 'retry-after': '7' }, body: '' });
      });

      it.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
        const trap = await receiving();
        const receiver = await receiving((_, response) => void response.writeHead(status, { Location: trap.url() }).end());
        expect(await send(receiver.url())).toMatchObject({ kind: 'answered', status });
        await roundTrip();
        expect(trap.connections).toBe(0);
      });

      it('that never ends is cut', async () => {
        let written = 0;
        const receiver = await receiving((_, response) => {
          const flood = () => {
            while (!response.destroyed && response.write('x'.repeat(4096))) written += 4096;
          };
          response.on('drain', flood);
          flood();
        });
        const result = await send(receiver.url());
        expect(result).toMatchObject({ kind: 'answered', status: 200, bodyTruncated: true, body: 'x'.repeat(MAX_ANSWER_BYTES) });
        await receiver.until(({ openConnections }) => openConnections === 0);
        await roundTrip();
        expect(receiver.connections).toBe(1);
        expect(written).toBeLessThan(50_000_000);
      });

      it.each([
        [MAX_ANSWER_BYTES, false],
        [MAX_ANSWER_BYTES + 1, true],
      ])('of %i bytes is kept as far as it fits', async (length, bodyTruncated) => {
        const receiver = await receiving((_, response) => void response.end('y'.repeat(length)));
        expect(await send(receiver.url())).toMatchObject({ body: 'y'.repeat(MAX_ANSWER_BYTES), bodyTruncated });
      });

      it.each([
        ['compressed', { 'Content-Encoding': 'gzip' }, Buffer.of(0x1f, 0x8b, 0x08, 0xff, 0xff)],
        ['not text', { 'Content-Type': 'image/png' }, Buffer.of(0x89, 0xff, 0xfe)],
      ])('that is %s has no text', async (_what, headers, bytes) => {
        const receiver = await receiving((__, response) => void response.writeHead(200, headers).end(bytes));
        expect(await send(receiver.url())).toMatchObject({ kind: 'answered', status: 200, body: null });
      });

      it.each([200, 503])(
        'of %i whose body stalls is told when its headers have come, and is over a second later',
        async (status) => {
          const told: number[] = [];
          const receiver = await receiving((_, reply) => void reply.writeHead(status).write('begun'));
          const sending = harness.sender.send(requestTo(receiver.url()), (each) => void told.push(each));
          while (told.length === 0) await roundTrip();
          await harness.elapse(BODY_MS);
          const result: SendResult = await sending;
          expect(result).toMatchObject({ kind: 'answered', status, body: 'begun', bodyTruncated: true, durationMs: BODY_MS });
          expect(told).toEqual([status]);
        },
      );

      it('whose connection breaks in the body is an answer', async () => {
        const receiver = await talking((socket) => {
          socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
        });
        expect(await send(receiver.url())).toMatchObject({ kind: 'answered', status: 200, body: 'half', bodyTruncated: true });
      });
    });

    describe('no answer', () => {
      it('within the deadline is a timeout, and the connection is dropped', async () => {
        const receiver = await receiving(() => undefined);
        const results: SendResult[] = [];
        const sending = send(receiver.url()).then((result) => results.push(result));
        await receiver.until(() => receiver.requests.length === 1);
        await harness.elapse(DEADLINE_MS - 1);
        expect(results).toEqual([]);
        await harness.elapse(1);
        await sending;
        expect(results).toMatchObject([{ kind: 'unreached', error: 'timeout', remoteIp: '127.0.0.1', durationMs: DEADLINE_MS }]);
        await receiver.until(({ openConnections }) => openConnections === 0);
        await roundTrip();
        expect(receiver.connections).toBe(1);
      });

      it.each(['', 'HTTP/1.1 20', 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'])('but %j is a timeout', async (begun) => {
        const receiver = await talking((socket) => void socket.on('data', () => socket.write(begun)));
        const sending = send(receiver.url());
        await receiver.until(() => receiver.connections === 1);
        await roundTrip();
        await harness.elapse(DEADLINE_MS);
        expect(await sending).toMatchObject({ kind: 'unreached', error: 'timeout' });
      });

      it('from a closed port is a refusal', async () => {
        const receiver = await Receiver.http();
        const url = receiver.url();
        await receiver.close();
        expect(await send(url)).toMatchObject({ kind: 'unreached', error: 'connection_refused' });
      });

      it.each([
        ['resets', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
        ['closes', (socket: { end(): unknown }) => socket.end()],
      ])('from a receiver that %s the connection is a reset', async (_how, leave) => {
        const receiver = await talking((socket) => void socket.once('data', () => leave(socket)));
        expect(await send(receiver.url())).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
      });

      it.each(['SSH-2.0-OpenSSH_9\r\n', 'HTTP/1.1 abc\r\n\r\n'])('but %j is a network error', async (nonsense) => {
        const receiver = await talking((socket) => void socket.once('data', () => socket.write(nonsense)));
        expect(await send(receiver.url())).toMatchObject({ kind: 'unreached', error: 'network_error' });
      });
    });

    describe('where nothing is sent', () => {
      it.each(['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
        'is %s, unless it is opened',
        async (host) => {
          const trap = await receiving();
          const { sender } = make('public');
          opened(sender);
          const result = await sender.send(requestTo(trap.url('/', host)));
          expect(result).toMatchObject({ kind: 'unreached', error: 'ssrf_blocked', requestHeaders: null, remoteIp: null });
          await roundTrip();
          expect(trap.connections).toBe(0);
        },
      );

      it.each(['', 'nonsense', 'ftp://127.0.0.1/', 'http://user:password@127.0.0.1:8080/', 'http://127.0.0.1:22/'])(
        'is %j',
        async (url) => expect(await send(url)).toMatchObject({ kind: 'unreached' }),
      );
    });

    describe('connections', () => {
      it('are kept between the requests of a project', async () => {
        const receiver = await receiving();
        for (const path of ['/0', '/1', '/2']) {
          await send(receiver.url(path));
          await roundTrip();
        }
        expect(receiver.requests.map(({ path }) => path)).toEqual(['/0', '/1', '/2']);
        expect(receiver.connections).toBe(1);
      });

      it('are not shared between projects', async () => {
        const receiver = await receiving();
        await send(receiver.url(), { projectId: 'prj_1' });
        await send(receiver.url(), { projectId: 'prj_2' });
        expect(receiver.connections).toBe(2);
      });

      it('of a slow receiver delay no other', async () => {
        const slow = await receiving(() => undefined);
        const stuck = Array.from({ length: 20 }, () => send(slow.url()));
        await slow.until(() => slow.requests.length === 20);
        expect(await send((await receiving()).url())).toMatchObject({ kind: 'answered' });
        await harness.elapse(DEADLINE_MS);
        expect(new Set((await Promise.all(stuck)).map(({ kind }) => kind))).toEqual(new Set(['unreached']));
      });

      it('are closed at the end, after what is under way', async () => {
        let finish = () => undefined as void;
        const receiver = await receiving((_, response) => void (finish = () => void response.end('late')));
        const sending = send(receiver.url());
        await receiver.until(() => receiver.requests.length === 1);
        const closing = harness.sender.close();
        finish();
        expect(await sending).toMatchObject({ kind: 'answered', body: 'late' });
        await closing;
        expect(await send(receiver.url())).toMatchObject({ kind: 'unreached', error: 'network_error' });
        expect(receiver.requests).toHaveLength(1);
      });
    });
  });
}

function fail(): never {
  throw new Error('Nothing was received.');
}
