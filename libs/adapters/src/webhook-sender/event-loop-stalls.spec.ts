import type { Socket } from 'node:net';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import type { Addresses } from './hardening/resolve-promptly.js';
import { SocketWebhookSender } from './webhook-sender.sockets.js';

const DEADLINE_MS = 15_000;
const STOPPED = { kind: 'hindered', cause: 'process_stopped' };

let clock: FakeClock;
let receiver: Receiver;
let sender: SocketWebhookSender;
let resolveName: () => void;
let sockets: Socket[];
let requests: number;

beforeEach(async () => {
  clock = new FakeClock();
  [sockets, requests] = [[], 0];
  receiver = await Receiver.tcp((socket) => void sockets.push(socket.on('data', () => requests++)));
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
  const resolve = () => new Promise<Addresses>((done) => (resolveName = () => done({ known: ['127.0.0.1'] })));
  sender = new SocketWebhookSender(guard, clock, { timeoutMs: DEADLINE_MS, resolve });
});
afterEach(async () => {
  await receiver.close();
  await sender.close();
});

const send = (host?: string) => sender.send({ projectId: 'prj_1', url: receiver.url('/', host), headers: {}, body: '{}' });
const stopFor = (ms: number) => clock.elapse(ms);
const turn = () => new Promise(setImmediate);
async function received(count = 1): Promise<void> {
  while (requests < count) await turn();
}

describe.each([
  ['long after the deadline', DEADLINE_MS * 2, 0],
  ['just after the deadline', DEADLINE_MS + 1, 0],
  ['just before the deadline', DEADLINE_MS - 1, 1],
  ['seconds before the deadline', 2_000, DEADLINE_MS - 2_000],
])('where the process is stopped and goes on %s', (_when, stoppedMs, leftMs) => {
  it('an attempt that was not sent by the deadline is not sent, and is no failure of its receiver', async () => {
    const sent = send('hooks.example');
    stopFor(stoppedMs);
    await clock.advance(leftMs + 1);
    resolveName();
    expect(await sent).toMatchObject(STOPPED);
    expect(requests).toBe(0);
  });

  it('a receiver that gave up meanwhile has not failed', async () => {
    const sent = send();
    await received();
    stopFor(stoppedMs);
    sockets[0]?.resetAndDestroy();
    expect(await sent).toMatchObject(STOPPED);
  });

  it('a receiver that has not answered by the deadline has not failed', async () => {
    const sent = send();
    await received();
    stopFor(stoppedMs);
    await clock.advance(leftMs + 1);
    expect(await sent).toMatchObject(STOPPED);
  });

  it('an answer that came meanwhile counts', async () => {
    const sent = send();
    await received();
    sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    stopFor(stoppedMs);
    await clock.advance(leftMs + 1);
    expect(await sent).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('an attempt that begins afterwards knows nothing of it', async () => {
    const first = send();
    await received();
    stopFor(stoppedMs);
    const second = send();
    await received(2);
    sockets[1]?.resetAndDestroy();
    expect(await second).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
    await clock.advance(DEADLINE_MS);
    await first;
  });
});

it('a process that is busy for less than a second has no excuse, and none watches when all is over', async () => {
  const sent = send();
  await received();
  for (let n = 0; n < 10; n++) {
    stopFor(700);
    await clock.advance(300);
  }
  await clock.advance(DEADLINE_MS);
  expect(await sent).toMatchObject({ kind: 'unreached', error: 'timeout' });
  expect(clock.pending).toBe(0);
});
