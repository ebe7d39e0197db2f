import { Socket } from 'node:net';
import { FakeClock } from '@testing/fake-clock';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import type { Resolve } from './hardening/resolve-promptly.js';
import { localTroubleIn } from './local-trouble.js';
import { SocketWebhookSender } from './webhook-sender.sockets.js';

function sending(resolve?: Resolve) {
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: [] });
  const options = { timeoutMs: 15_000, ...(resolve ? { resolve } : {}) };
  const sender = new SocketWebhookSender(guard, new FakeClock(), options);
  const send = (url: string) => sender.send({ projectId: 'prj_1', url, headers: {}, body: '{}' });
  return { sender, send };
}

afterEach(() => jest.restoreAllMocks());

describe('a shortage of this machine', () => {
  const failure = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });

  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN', 'EAI_MEMORY'])('is no failure of the name: %s', async (code) => {
    const { send, sender } = sending(() => Promise.reject(new AggregateError([failure('EAI_AGAIN'), failure(code)])));
    expect(await send('http://hooks.example/')).toMatchObject({
      kind: 'hindered',
      cause: code,
      requestHeaders: null,
      remoteIp: null,
    });
    await sender.close();
  });

  it.each([
    ['http', 'EMFILE'],
    ['https', 'EMFILE'],
    ['http', 'ENFILE'],
    ['http', 'EADDRNOTAVAIL'],
    ['https', 'EADDRNOTAVAIL'],
  ])('is no failure of the receiver, over %s: %s', async (scheme, code) => {
    const { send, sender } = sending();
    jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      process.nextTick(() => this.destroy(failure(code, { syscall: 'connect', address: '203.0.113.7', port: 443 })));
      return this;
    });
    const hindered = { kind: 'hindered', cause: code, requestHeaders: null, remoteIp: null };
    expect(await send(`${scheme}://93.184.216.34/`)).toMatchObject(hindered);
    await sender.close();
  });

  it('is one for all addresses of a name', () => {
    const refused = failure('ECONNREFUSED');
    expect(localTroubleIn(new AggregateError([refused, failure('EMFILE')]))).toBe('EMFILE');
    expect(localTroubleIn(new AggregateError([refused, refused]))).toBeNull();
    expect(localTroubleIn(new AggregateError([]))).toBeNull();
  });

  it('is a lack of ports, but not of IPv6', () => {
    const ports = failure('EADDRNOTAVAIL', { address: '203.0.113.7' });
    const noIpv6 = failure('EADDRNOTAVAIL', { address: '2001:db8::7' });
    expect(localTroubleIn(ports)).toBe('EADDRNOTAVAIL');
    expect(localTroubleIn(new AggregateError([ports, ports]))).toBe('EADDRNOTAVAIL');
    expect(localTroubleIn(noIpv6)).toBeNull();
    expect(localTroubleIn(new AggregateError([failure('ECONNREFUSED'), ports]))).toBeNull();
  });
});
