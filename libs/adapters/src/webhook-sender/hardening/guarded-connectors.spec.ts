import { createServer } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from '@testing/certificates';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './address-guard.node.js';
import { BlockedAddress, GuardedConnectors } from './guarded-connectors.js';
import type { Addresses, Resolve } from './resolve-promptly.js';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';

const DEADLINE_MS = 15_000;
const NEVER = new AbortController().signal;
const open: { close(): Promise<void> }[] = [];
const opened = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => (open.push(thing), thing);

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

interface Setting {
  readonly resolve?: Resolve;
  readonly cidrs?: readonly string[];
  readonly guard?: NodeAddressGuard;
  readonly trustedAuthorities?: string;
}

function sending({ cidrs = ['127.0.0.1/32'], guard, ...options }: Setting) {
  const clock = new FakeClock();
  const rules = { allowHttp: true, allowCidrs: cidrs };
  const sender = new SocketWebhookSender(guard ?? new NodeAddressGuard(rules), clock, { timeoutMs: DEADLINE_MS, ...options });
  const send = (url: string) => sender.send({ projectId: 'prj_1', url, headers: {}, body: '{}' });
  return { clock, sender, send };
}

function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => ({ known: answers[Math.min(asked.push(name), answers.length) - 1] ?? [] });
  return { asked, resolve };
}

describe('the name of a receiver', () => {
  it('is resolved once per connection and stays the host of the request', async () => {
    const receiver = opened(await Receiver.http());
    const { asked, resolve } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const { send, sender } = sending({ resolve });
    const result = await send(receiver.url('/', 'hooks.example'));
    expect(result).toMatchObject({ kind: 'answered', status: 200, remoteIp: '127.0.0.1' });
    expect(asked).toEqual(['hooks.example']);
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
    await sender.close();
  });

  it('is told with how long its lookup took, also where nothing listens', async () => {
    const receiver = opened(await Receiver.http());
    const resolve: Resolve = async () => {
      clock.elapse(70);
      return { known: ['127.0.0.1'] };
    };
    const { clock, send, sender } = sending({ resolve });
    const url = receiver.url('/', 'hooks.example');
    expect(await send(url)).toMatchObject({ timings: { dnsMs: 70, connectMs: 0, tlsMs: null, firstByteMs: 0 }, durationMs: 70 });
    await sender.close();
    await receiver.close();
    const again = sending({ resolve: resolver(['127.0.0.1']).resolve });
    expect(await again.send(url)).toMatchObject({
      error: 'connection_refused',
      timings: { dnsMs: 0, connectMs: null, tlsMs: null, firstByteMs: null },
    });
    await again.sender.close();
  });

  it('is followed within a minute when it stands for another address, under steady traffic too', async () => {
    const [before, after] = [opened(await Receiver.http()), createServer((_, response) => response.end())];
    await new Promise<void>((resolve) => after.listen(before.port, '127.0.0.2', resolve));
    const { resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const { clock, send, sender } = sending({ resolve, cidrs: ['127.0.0.0/8'] });
    const reached: (string | null)[] = [];
    for (let second = 0; second <= 60; second++) {
      reached.push((await send(before.url('/', 'hooks.example'))).remoteIp);
      await clock.advance(1_000);
    }
    expect(new Set(reached.slice(0, 60))).toEqual(new Set(['127.0.0.1']));
    expect(reached[60]).toBe('127.0.0.2');
    expect(before.connections).toBe(1);
    await sender.close();
    await new Promise((resolve) => after.close(resolve));
  });

  it('is judged anew when it stands for something else at the next connection', async () => {
    const receiver = opened(await Receiver.http((_, response) => void response.setHeader('Connection', 'close').end()));
    const { resolve } = resolver(['127.0.0.1'], ['169.254.169.254']);
    const { send, sender } = sending({ resolve });
    expect(await send(receiver.url('/', 'hooks.example'))).toMatchObject({ kind: 'answered' });
    await receiver.until(({ openConnections }) => openConnections === 0);
    expect(await send(receiver.url('/', 'hooks.example'))).toMatchObject({ kind: 'unreached', error: 'ssrf_blocked' });
    expect(receiver.connections).toBe(1);
    await sender.close();
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700::1111', '::ffff:127.0.0.1']],
    [['8.8.8.8', '1.1.1.1', 'fe80::1%eth0']],
    [['8.8.8.8', 'not an address']],
  ])('that stands for %j is blocked, though some of it may be public', async (addresses) => {
    const trap = opened(await Receiver.http());
    const { send, sender } = sending({ resolve: resolver(addresses).resolve, cidrs: [] });
    expect(await send(trap.url('/', 'hooks.example'))).toMatchObject({
      kind: 'unreached',
      error: 'ssrf_blocked',
      remoteIp: null,
    });
    await sender.close();
    expect(trap.connections).toBe(0);
  });

  it('may be localhost where that is opened, without asking anybody', async () => {
    const receiver = opened(await Receiver.http());
    const { asked, resolve } = resolver(['10.0.0.1']);
    const { send, sender } = sending({ resolve });
    expect(await send(receiver.url('/', 'localhost'))).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
    expect(await send(receiver.url('/', 'app.localhost'))).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
    expect(asked).toEqual([]);
    await sender.close();
  });

  it.each([
    ['is unknown', async () => Promise.reject(Object.assign(new Error('nobody'), { code: 'ENOTFOUND' }))],
    ['has no address', async () => ({ known: [] })],
  ])('that %s is a failure of the name service', async (_what, resolve: Resolve) => {
    const { send, sender } = sending({ resolve });
    expect(await send('https://hooks.example/')).toMatchObject({ kind: 'unreached', error: 'dns_error' });
    await sender.close();
  });

  it('is asked for once by all who wait for it', async () => {
    const receiver = opened(await Receiver.http());
    const { asked, resolve } = resolver(['127.0.0.1']);
    const { send, sender } = sending({ resolve });
    const results = await Promise.all(Array.from({ length: 10 }, () => send(receiver.url('/', 'hooks.example'))));
    expect(results.every(({ kind }) => kind === 'answered')).toBe(true);
    expect(asked).toEqual(['hooks.example']);
    await sender.close();
  });

  it('is judged once for all who wait for it, however many addresses it has', async () => {
    class Patient extends NodeAddressGuard {
      judged = 0;
      override admits(address: string): boolean {
        this.judged++;
        return super.admits(address);
      }
    }
    const receiver = opened(await Receiver.http());
    const guard = new Patient({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
    const many = Array.from({ length: 4_000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`);
    const { send, sender } = sending({ guard, resolve: resolver(['127.0.0.1', ...many]).resolve });
    await Promise.all(Array.from({ length: 10 }, () => send(receiver.url('/', 'hooks.example'))));
    expect(receiver.requests).toHaveLength(10);
    expect(guard.judged).toBe(64 + receiver.connections);
    await sender.close();
  });

  it('that resolves after the deadline gets nothing any more', async () => {
    const receiver = opened(await Receiver.http());
    let answer = (_: Addresses): void => undefined;
    const { clock, send, sender } = sending({ resolve: () => new Promise((resolve) => (answer = resolve)) });
    const late = send(receiver.url('/late', 'hooks.example'));
    await clock.advance(DEADLINE_MS);
    expect(await late).toMatchObject({ kind: 'unreached', error: 'timeout', remoteIp: null, durationMs: DEADLINE_MS });
    answer({ known: ['127.0.0.1'] });
    expect(await send(receiver.url('/next', '127.0.0.1'))).toMatchObject({ kind: 'answered' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/next']);
    expect(receiver.connections).toBe(1);
    await sender.close();
  });

  it('may lead to an address that another one stands in for', async () => {
    const receiver = opened(await Receiver.http());
    const { send, sender } = sending({ resolve: resolver(['127.0.0.2', '127.0.0.1']).resolve, cidrs: ['127.0.0.0/8'] });
    expect(await send(receiver.url('/', 'hooks.example'))).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
    await sender.close();
  });

  it.each([
    [8, { kind: 'answered', remoteIp: '127.0.0.1' }],
    [9, { kind: 'unreached', error: 'connection_refused' }],
  ])('is followed to eight addresses, and not to a ninth: to the last of %d', async (count, expected) => {
    const receiver = opened(await Receiver.http());
    const dead = Array.from({ length: count - 1 }, (_, index) => `127.0.0.${index + 2}`);
    const { send, sender } = sending({ resolve: resolver([...dead, '127.0.0.1']).resolve, cidrs: ['127.0.0.0/8'] });
    expect(await send(receiver.url('/', 'hooks.example'))).toMatchObject(expected);
    await sender.close();
  });
});

describe('a connection', () => {
  it('is dropped unused when it reached an address that is not admitted', async () => {
    class Fickle extends NodeAddressGuard {
      private judged = 0;
      override admits(): boolean {
        return ++this.judged === 1;
      }
    }
    const bytes: Buffer[] = [];
    const trap = opened(await Receiver.tcp((socket) => void socket.on('data', (chunk) => bytes.push(chunk))));
    const { send, sender } = sending({
      guard: new Fickle({ allowHttp: true, allowCidrs: [] }),
      resolve: resolver(['127.0.0.1']).resolve,
    });
    expect(await send(trap.url('/', 'hooks.example'))).toMatchObject({ kind: 'unreached', error: 'ssrf_blocked' });
    await trap.until(({ connections, openConnections }) => connections === 1 && openConnections === 0);
    expect(bytes).toEqual([]);
    await sender.close();
  });

  it.each(['127.0.0.1', 'localhost', 'app.localhost'])('is not even begun to %s where that is not admitted', async (hostname) => {
    const trap = opened(await Receiver.tcp());
    const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: [] });
    const options = { timeoutMs: DEADLINE_MS, resolve: resolver().resolve };
    const target = { origin: trap.url(), hostname, isSecure: false, port: trap.port };
    const connecting = new GuardedConnectors(guard, new FakeClock(), options).connect('prj_1', target, NEVER);
    await expect(connecting).rejects.toBeInstanceOf(BlockedAddress);
    expect(trap.connections).toBe(0);
  });

  it('goes through no proxy that the environment names', async () => {
    const [proxy, receiver] = [opened(await Receiver.http()), opened(await Receiver.http())];
    const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const replaced = jest.replaceProperty(process, 'env', Object.fromEntries(variables.map((name) => [name, proxy.url()])));
    const { send, sender } = sending({});
    expect(await send(receiver.url())).toMatchObject({ kind: 'answered' });
    replaced.restore();
    expect(proxy.connections).toBe(0);
    await sender.close();
  });
});

describe('a receiver behind TLS', () => {
  const resolve: Resolve = async () => ({ known: ['127.0.0.1'] });
  const valid = selfSigned(['hooks.example']);

  it('is reached under its name, verified', async () => {
    let seen: string | false | null | undefined;
    const receiver = opened(
      await Receiver.https(valid, (request, response) => {
        seen = (request.socket as TLSSocket & { servername?: string | false }).servername;
        response.end('sealed');
      }),
    );
    const { send, sender } = sending({ resolve, trustedAuthorities: valid.cert });
    const result = await send(receiver.url('/', 'hooks.example'));
    expect(result).toMatchObject({ kind: 'answered', status: 200, body: 'sealed', remoteIp: '127.0.0.1' });
    expect(result.timings).toEqual({ dnsMs: 0, connectMs: 0, tlsMs: 0, firstByteMs: 0 });
    expect(seen).toBe('hooks.example');
    await sender.close();
  });

  const DAY = 86_400_000;
  const expired = selfSigned(['hooks.example'], Date.now() - 2 * DAY, Date.now() - DAY);
  const elsewhere = selfSigned(['other.example']);
  const old = { ...valid, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

  it.each([
    ['nobody vouches for', valid, undefined],
    ['has expired', expired, expired.cert],
    ['names another host', elsewhere, elsewhere.cert],
    ['is shown over TLS 1.1', old, valid.cert],
  ])('whose certificate %s is sent nothing', async (_what, tls, authority) => {
    const receiver = opened(await Receiver.https(tls));
    const { send, sender } = sending({ resolve, ...(authority === undefined ? {} : { trustedAuthorities: authority }) });
    expect(await send(receiver.url('/', 'hooks.example'))).toMatchObject({ kind: 'unreached', error: 'tls_error' });
    await sender.close();
    expect(receiver.requests).toEqual([]);
  });

  it('that speaks no TLS is a TLS failure', async () => {
    const receiver = opened(await Receiver.http());
    const { send, sender } = sending({ resolve });
    const url = receiver.url('/', 'hooks.example').replace('http:', 'https:');
    expect(await send(url)).toMatchObject({ kind: 'unreached', error: 'tls_error' });
    await sender.close();
    expect(receiver.requests).toEqual([]);
  });

  it('that never finishes the handshake is a timeout, and no request was sent', async () => {
    const receiver = opened(await Receiver.tcp());
    const { clock, send, sender } = sending({ resolve });
    const pending = send(receiver.url('/', 'hooks.example').replace('http:', 'https:'));
    await receiver.until(({ connections }) => connections === 1);
    await clock.advance(DEADLINE_MS);
    const timings = { dnsMs: 0, connectMs: 0, tlsMs: null, firstByteMs: null };
    expect(await pending).toMatchObject({ kind: 'unreached', error: 'timeout', requestHeaders: null, timings });
    await sender.close();
  });
});
