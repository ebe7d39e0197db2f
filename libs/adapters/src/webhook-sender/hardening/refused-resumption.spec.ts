import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureVersion, TLSSocket } from 'node:tls';
import { selfSigned } from '@testing/certificates';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './address-guard.node.js';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';

const DEADLINE_MS = 15_000;
const valid = selfSigned(['hooks.example']);
const open: { close(): Promise<void> }[] = [];
const opened = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => (open.push(thing), thing);

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

function sending({ port }: Receiver) {
  const clock = new FakeClock();
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.1/32'] });
  const options = { timeoutMs: DEADLINE_MS, resolve: async () => ({ known: ['127.0.0.1'] }), trustedAuthorities: valid.cert };
  const sender = opened(new SocketWebhookSender(guard, clock, options));
  const url = `https://hooks.example:${port}/`;
  return { clock, send: () => sender.send({ projectId: 'prj_1', url, headers: {}, body: '{}' }) };
}

/** A TLS server that requests certificates without a session id context, so that OpenSSL fails each resumed handshake. */
function withoutResumption(maxVersion: SecureVersion = 'TLSv1.3'): (raw: Socket) => void {
  const secureContext = createSecureContext({ ...valid, maxVersion });
  return (raw) => {
    const socket = new TLSSocket(raw, { isServer: true, requestCert: true, rejectUnauthorized: false, secureContext });
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'));
  };
}

const closing: RequestListener = (_, response) => void response.setHeader('Connection', 'close').end();

describe('a TLS session that is remembered', () => {
  it('is resumed', async () => {
    const resumed: boolean[] = [];
    const receiver = opened(
      await Receiver.https(valid, (request, response) => {
        resumed.push((request.socket as TLSSocket).isSessionReused());
        closing(request, response);
      }),
    );
    const { send } = sending(receiver);
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
    expect(resumed).toEqual([false, true, true]);
    expect(receiver.connections).toBe(3);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('costs no attempt where the receiver fails its handshake: %s', async (version) => {
    const receiver = opened(await Receiver.tcp(withoutResumption(version)));
    const { send } = sending(receiver);
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ kind: 'answered', status: 200, remoteIp: '127.0.0.1' });
    expect(receiver.connections).toBe(1 + 2 + 2);
  });

  it('costs no attempt where the receiver closes the connection over it', async () => {
    let count = 0;
    const answer = withoutResumption();
    const receiver = opened(await Receiver.tcp((raw) => void (++count % 2 === 1 ? answer(raw) : raw.destroy())));
    const { send } = sending(receiver);
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
    expect(receiver.connections).toBe(1 + 2 + 2);
  });

  it('leads to one more handshake, and to no third', async () => {
    let count = 0;
    const answer = withoutResumption();
    const receiver = opened(await Receiver.tcp((raw) => void (++count === 1 ? answer(raw) : raw.destroy())));
    const { send } = sending(receiver);
    expect(await send()).toMatchObject({ kind: 'answered' });
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
    expect(receiver.connections).toBe(1 + 2);
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
    expect(receiver.connections).toBe(1 + 2 + 1);
  });

  it('is forgotten where the receiver never answers it, and the attempt ends at its deadline', async () => {
    let count = 0;
    const answer = withoutResumption();
    const receiver = opened(await Receiver.tcp((raw) => void (++count === 2 ? raw.resume() : answer(raw))));
    const { clock, send } = sending(receiver);
    expect(await send()).toMatchObject({ kind: 'answered' });
    const pending = send();
    await receiver.until(({ connections }) => connections === 2);
    await clock.advance(DEADLINE_MS);
    expect(await pending).toMatchObject({ kind: 'unreached', error: 'timeout', durationMs: DEADLINE_MS });
    await receiver.until(({ openConnections }) => openConnections === 0);
    expect(await send()).toMatchObject({ kind: 'answered' });
    expect(receiver.connections).toBe(3);
  });
});
