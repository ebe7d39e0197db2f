import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from '@testing/certificates';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './address-guard.node.js';
import { GuardedConnectors } from './guarded-connectors.js';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';

const turns = async (count = 20) => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
};
const rules = { allowHttp: true, allowCidrs: ['127.0.0.1/32'] };

describe('a connection that TLS is spoken on', () => {
  let source: PassThrough;
  let stream: HandshakeStream;
  let failure: { code?: string } | null;
  beforeEach(() => {
    source = new PassThrough({ highWaterMark: 1024 * 1024 });
    failure = null;
    stream = new HandshakeStream(source as unknown as Socket, new HandshakePace(new FakeClock()));
    stream.on('error', (error: Error & { code?: string }) => (failure = error));
  });

  it.each([
    [[16 * 1024], null],
    [[16 * 1024 + 1], 'ERR_TLS_CERTIFICATES_TOO_LONG'],
    [[8 * 1024, 8 * 1024], null],
    [[8 * 1024, 8 * 1024, 1], 'ERR_TLS_CERTIFICATES_TOO_LONG'],
  ])('takes 16 KiB before the handshake is over, in any pieces: %j', async (lengths, code) => {
    stream.resume();
    for (const length of lengths) {
      source.write(Buffer.alloc(length));
      await turns();
    }
    expect(failure?.code ?? null).toBe(code);
    expect(source.destroyed).toBe(code !== null);
  });

  it('passes on any amount afterwards, as it is taken', async () => {
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      stream.pause();
      setImmediate(() => stream.resume());
    });
    source.write('hello');
    await turns();
    stream.handshakeIsOver();
    for (let n = 0; n < 10; n++) source.write(Buffer.alloc(60_000));
    await turns(200);
    expect(size).toBe(600_005);
  });

  it('holds back what nobody takes', async () => {
    stream.handshakeIsOver();
    stream.pause();
    for (let n = 0; n < 10; n++) {
      source.write(Buffer.alloc(60_000));
      await turns();
    }
    expect(source.isPaused()).toBe(true);
    expect(stream.readableLength).toBeLessThan(200_000);
  });

  it('keeps what came before its end until it is taken', async () => {
    stream.handshakeIsOver();
    source.end('the whole answer');
    source.resume();
    await turns();
    source.destroy();
    await turns();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe('the whole answer');
  });
});

it.each([
  ['https:', 443],
  ['http:', 80],
])('an %s address without a port is reached at %d', async (protocol, port) => {
  const connecting = jest.spyOn(GuardedConnectors.prototype, 'connect').mockRejectedValue(new Error('not now'));
  const sender = new SocketWebhookSender(new NodeAddressGuard(rules), new FakeClock(), { timeoutMs: 5_000 });
  await sender.send({ projectId: 'prj_1', url: `${protocol}//hooks.example/`, headers: {}, body: '{}' });
  expect(connecting.mock.calls[0]?.[1]).toMatchObject({ hostname: 'hooks.example', port });
  connecting.mockRestore();
  await sender.close();
});

it('all connections of a project have one pace, those of another their own', async () => {
  const taken = jest.spyOn(HandshakePace.prototype, 'take');
  const valid = selfSigned(['hooks.example']);
  const receivers = await Promise.all([1, 2, 3].map(() => Receiver.https(valid)));
  const options = { timeoutMs: 15_000, resolve: async () => ({ known: ['127.0.0.1'] }), trustedAuthorities: valid.cert };
  const sender = new SocketWebhookSender(new NodeAddressGuard(rules), new FakeClock(), options);
  for (const [n, projectId] of ['prj_1', 'prj_1', 'prj_2'].entries()) {
    const url = receivers[n]?.url('/', 'hooks.example') ?? '';
    expect(await sender.send({ projectId, url, headers: {}, body: '{}' })).toMatchObject({ kind: 'answered' });
  }
  expect(new Set(taken.mock.contexts).size).toBe(2);
  taken.mockRestore();
  await sender.close();
  for (const receiver of receivers) await receiver.close();
});

describe('a receiver whose handshake is over', () => {
  const valid = selfSigned(['hooks.example']);
  const tls12 = { ...valid, maxVersion: 'TLSv1.2' } as const;
  const options = { timeoutMs: 15_000, resolve: async () => ({ known: ['127.0.0.1'] }), trustedAuthorities: valid.cert };

  it('cannot begin another on the same connection', async () => {
    let outcome: Error | null | undefined;
    const receiver = await Receiver.https(tls12, (request, response) => {
      const isBegun = (request.socket as TLSSocket).renegotiate({}, (error) => {
        outcome = error;
        response.end('renegotiated');
      });
      if (!isBegun) response.end('not begun');
    });
    const sender = new SocketWebhookSender(new NodeAddressGuard(rules), new FakeClock(), options);
    const url = receiver.url('/', 'hooks.example');
    expect(await sender.send({ projectId: 'prj_1', url, headers: {}, body: '{}' })).toMatchObject({ kind: 'unreached' });
    expect(outcome).not.toBe(null);
    await sender.close();
    await receiver.close();
  });

  it.each([
    [10, false],
    [20, true],
  ])('may send some tickets for another, not tickets without end: %d', async (tickets, isClosed) => {
    const receiver = await Receiver.https(tls12);
    const connectors = new GuardedConnectors(new NodeAddressGuard(rules), new FakeClock(), options);
    const { port } = receiver;
    const target = { origin: `https://hooks.example:${port}`, hostname: 'hooks.example', isSecure: true, port };
    const { socket } = await connectors.connect('prj_1', target, new AbortController().signal);
    socket.on('error', () => undefined);
    for (let n = 0; n < tickets; n++) socket.emit('session', Buffer.from('ticket'));
    expect(socket.destroyed).toBe(isClosed);
    socket.destroy();
    await receiver.close();
  });
});
