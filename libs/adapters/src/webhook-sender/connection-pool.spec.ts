import { Socket } from 'node:net';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { type SenderOptions, SocketWebhookSender } from './webhook-sender.sockets.js';

const DEADLINE_MS = 15_000;
const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function receiving(...how: Parameters<typeof Receiver.http>): Promise<Receiver> {
  const receiver = await Receiver.http(...how);
  open.push(receiver);
  return receiver;
}

function sending(options: Partial<SenderOptions>) {
  const clock = new FakeClock();
  const sender = new SocketWebhookSender(guard, clock, { timeoutMs: DEADLINE_MS, ...options });
  const send = (url: string, projectId = 'prj_1') => sender.send({ projectId, url, headers: {}, body: '{}' });
  return { clock, sender, send };
}

describe('idle connections', () => {
  it('are as many as allowed: the one unused for longest gives way', async () => {
    const receiver = await receiving();
    const { send, sender } = sending({ mostIdle: 2 });
    for (const projectId of ['prj_1', 'prj_2', 'prj_1', 'prj_3']) await send(receiver.url(), projectId);
    expect(sender.idleConnections).toBe(2);
    await receiver.until(({ openConnections }) => openConnections === 2);
    expect(receiver.connections).toBe(3);
    await send(receiver.url(), 'prj_1');
    expect(receiver.connections).toBe(3);
    await send(receiver.url(), 'prj_2');
    expect(receiver.connections).toBe(4);
    await sender.close();
  });

  it('are closed after four seconds, and nothing is left behind', async () => {
    const receiver = await Receiver.tcp(
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
    );
    open.push(receiver);
    const { clock, send, sender } = sending({});
    await send(receiver.url());
    await clock.advance(3_000);
    await send(receiver.url());
    await clock.advance(3_000);
    expect([receiver.connections, sender.idleConnections]).toEqual([1, 1]);
    await clock.advance(1_000);
    expect([sender.idleConnections, clock.pending]).toEqual([0, 0]);
    await receiver.until(({ openConnections }) => openConnections === 0);
    await sender.close();
  });

  it.each([
    [1, 0],
    [5, 3],
    [30, 28],
    [600, 60],
  ])('whose receiver keeps them for %d s are kept for %d s', async (told, kept) => {
    const receiver = await receiving((_, response) => void response.setHeader('Keep-Alive', `timeout=${told}, max=100`).end());
    const { clock, send, sender } = sending({});
    await send(receiver.url());
    expect(sender.idleConnections).toBe(kept === 0 ? 0 : 1);
    await clock.advance(kept * 1_000 - 1);
    expect(sender.idleConnections).toBe(kept === 0 ? 0 : 1);
    await clock.advance(1_001);
    expect(sender.idleConnections).toBe(0);
    await sender.close();
  });

  it('that their receiver closes, or talks over, are used no more', async () => {
    const sockets: Socket[] = [];
    const receiver = await receiving((request, response) => {
      sockets.push(request.socket);
      response.end();
    });
    const { send, sender } = sending({});
    for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.write('HTTP/1.1 408 Timeout\r\n\r\n')]) {
      await send(receiver.url());
      const before = receiver.connections;
      leave(sockets.at(-1) ?? new Socket());
      await receiver.until(({ openConnections }) => openConnections === 0);
      expect(await send(receiver.url())).toMatchObject({ status: 200 });
      expect(receiver.connections).toBe(before + 1);
    }
    await sender.close();
  });
});

describe('requests', () => {
  it('to one receiver wait for each other in no line', async () => {
    const slow: { end(): unknown }[] = [];
    const receiver = await receiving((_, response) => void slow.push(response));
    const { clock, send, sender } = sending({});
    const sent = Array.from({ length: 100 }, (_, index) => send(receiver.url(`/${index}`)));
    await receiver.until(() => slow.length === sent.length);
    await clock.advance(DEADLINE_MS - 1);
    slow.forEach((response) => response.end());
    expect((await Promise.all(sent)).map(({ kind }) => kind)).toEqual(sent.map(() => 'answered'));
    await sender.close();
  });

  it('whose deadline passes before there is a connection are not sent', async () => {
    const receiver = await receiving();
    let answer = (): void => undefined;
    const answered = new Promise<void>((done) => (answer = done));
    const resolve = async () => answered.then(() => ({ known: ['127.0.0.1'] }));
    const { clock, send, sender } = sending({ resolve });
    const queued = Array.from({ length: 6 }, (_, index) => send(receiver.url(`/${index}`, 'hooks.example')));
    await clock.advance(DEADLINE_MS);
    const results = await Promise.all(queued);
    expect(results.map((result) => result.kind === 'unreached' && result.error)).toEqual(new Array(6).fill('timeout'));
    const last = send(receiver.url('/last', 'hooks.example'));
    answer();
    expect(await last).toMatchObject({ kind: 'answered' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/last']);
    await sender.close();
  });
});
