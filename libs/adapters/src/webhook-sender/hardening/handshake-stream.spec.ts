import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { selfSigned } from '@testing/certificates';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './address-guard.node.js';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';

const valid = selfSigned(['hooks.example']);
const chainOf = (others: number) => ({
  ...valid,
  cert: valid.cert + Array.from({ length: others }, () => selfSigned(['other.example']).cert).join(''),
});

let clock: FakeClock;
beforeEach(() => void (clock = new FakeClock()));

describe('the handshakes of a project', () => {
  let pace: HandshakePace;
  let taken: string[];
  beforeEach(() => {
    pace = new HandshakePace(clock);
    taken = [];
  });
  const step = (name: string, ms: number) =>
    pace.take(() => {
      taken.push(name);
      clock.elapse(ms);
    });

  it('are taken at once while they take ten milliseconds at most', () => {
    for (const name of ['a', 'b', 'c']) step(name, 10);
    expect(taken).toEqual(['a', 'b', 'c']);
    expect(clock.pending).toBe(0);
  });

  it('wait four times as long as one that took more, each in its turn', async () => {
    step('slow', 50);
    step('slower', 100);
    step('quick', 1);
    expect(taken).toEqual(['slow']);
    await clock.advance(199);
    expect(taken).toEqual(['slow']);
    await clock.advance(1);
    expect(taken).toEqual(['slow', 'slower']);
    await clock.advance(400);
    expect(taken).toEqual(['slow', 'slower', 'quick']);
    step('later', 1);
    expect([taken.length, clock.pending]).toEqual([4, 0]);
  });
});

describe('a connection that TLS is spoken on', () => {
  const raw = () => Object.assign(new PassThrough(), { destroySoon: () => undefined }) as unknown as Socket & PassThrough;

  it('passes on what waited in its order, and nothing behind its end', async () => {
    const [source, pace] = [raw(), new HandshakePace(clock)];
    pace.take(() => clock.elapse(50));
    const stream = new HandshakeStream(source, pace);
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise((resolve) => stream.on('end', resolve));
    source.write('one ');
    source.write('two ');
    source.end('three');
    await clock.advance(199);
    expect(text).toBe('');
    await clock.advance(1);
    await ended;
    expect(text).toBe('one two three');
  });
});

describe('a receiver behind TLS', () => {
  let sender: SocketWebhookSender;
  let receiver: Receiver;
  beforeEach(() => {
    const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.1/32'] });
    const options = { timeoutMs: 15_000, resolve: async () => ({ known: ['127.0.0.1'] }), trustedAuthorities: valid.cert };
    sender = new SocketWebhookSender(guard, clock, options);
  });
  afterEach(async () => {
    await sender.close();
    await receiver.close();
  });
  const send = (body = '{}') =>
    sender.send({ projectId: 'prj_1', url: receiver.url('/', 'hooks.example').replace('http:', 'https:'), headers: {}, body });

  it('may show a few certificates, and is asked again on the same connection', async () => {
    receiver = await Receiver.https(chainOf(20), (_, response) => void response.end('x'.repeat(15_000)));
    for (let n = 0; n < 5; n++) {
      expect(await send('y'.repeat(60_000))).toMatchObject({ kind: 'answered', status: 200, remoteIp: '127.0.0.1' });
      await new Promise(setImmediate);
    }
    expect([receiver.connections, receiver.requests.map(({ body }) => body.length)]).toEqual([1, Array(5).fill(60_000)]);
  });

  it('that shows more than sixteen kilobytes of them is not looked at', async () => {
    receiver = await Receiver.https(chainOf(60));
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'tls_error' });
    await receiver.until(({ openConnections }) => openConnections === 0);
    expect(receiver.requests).toEqual([]);
  });

  it('that hangs up meanwhile is a reset connection', async () => {
    receiver = await Receiver.tcp((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
  });

  it('that hangs up politely meanwhile is one too', async () => {
    receiver = await Receiver.tcp((socket) => void socket.once('data', () => socket.end()));
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
  });

  it('that closes with its answer has answered', async () => {
    receiver = await Receiver.https(valid, (_, response) => void response.setHeader('connection', 'close').end('done'));
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ kind: 'answered', body: 'done', bodyTruncated: false });
    await receiver.until(({ openConnections }) => openConnections === 0);
  });
});
