import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { FakeClock, settle } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './address-guard.node.js';
import { type Addresses, type Resolve, resolveByFamilies, resolvePromptly } from './resolve-promptly.js';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';

const DEADLINE_MS = 15_000;
const V4 = ['192.0.2.1'];
const V6 = ['2001:db8::1'];
const hanging = () => new Promise<never>(() => undefined);
const at = (clock: FakeClock, ms: number, addresses: readonly string[]) => () =>
  new Promise<readonly string[]>((resolve, reject) => {
    const answer = () => (addresses.length > 0 ? resolve(addresses) : reject(new Error('none of this family')));
    clock.after(ms, answer);
  });

function asking(clock: FakeClock, resolve: Resolve) {
  const seen: { answer: Addresses | null; failed: boolean } = { answer: null, failed: false };
  void resolve('hooks.example', 'prj_1').then(
    (answer) => (seen.answer = answer),
    () => (seen.failed = true),
  );
  return seen;
}

describe('a name server that is silent for one family of addresses', () => {
  it.each([
    ['IPv6', V4, hanging],
    ['IPv4', hanging, V6],
  ])('delays the other by 50 ms: %s', async (_what, v4, v6) => {
    const clock = new FakeClock();
    const families = [v4, v6].map((answer) => (typeof answer === 'function' ? answer : at(clock, 30, answer)));
    const seen = asking(clock, resolveByFamilies(clock, families));
    await clock.advance(79);
    expect(seen.answer).toBeNull();
    await clock.advance(1);
    expect(seen.answer).toEqual({ known: typeof v4 === 'function' ? V6 : V4, late: expect.any(Promise) as Promise<unknown> });
    expect(clock.pending).toBe(0);
  });

  it.each([15_000, 5_000, 1_000])(
    'costs less than a second beside a system that waits for both, within %d ms',
    async (withinMs) => {
      const clock = new FakeClock();
      const byServers = resolveByFamilies(clock, [at(clock, 0, V4), hanging]);
      const seen = asking(clock, resolvePromptly(hanging, byServers, clock, withinMs));
      await clock.advance(Math.min(999, withinMs / 2));
      expect(seen.answer?.known).toEqual(V4);
    },
  );
});

describe('a name server that answers for one family of addresses later', () => {
  it('by 50 ms at most is heard at once', async () => {
    const clock = new FakeClock();
    const seen = asking(clock, resolveByFamilies(clock, [at(clock, 0, V4), at(clock, 49, V6)]));
    await clock.advance(49);
    expect(seen.answer).toEqual({ known: [...V4, ...V6] });
    expect(clock.pending).toBe(0);
  });

  it('by more is heard when it has', async () => {
    const clock = new FakeClock();
    const seen = asking(clock, resolveByFamilies(clock, [at(clock, 3_000, V4), at(clock, 0, V6)]));
    await clock.advance(50);
    expect(seen.answer?.known).toEqual(V6);
    await clock.advance(2_950);
    expect(await seen.answer?.late).toEqual(V4);
  });

  it('or not, where it has none of the first, is waited for', async () => {
    const clock = new FakeClock();
    const seen = asking(clock, resolveByFamilies(clock, [at(clock, 0, []), at(clock, 3_000, V6)]));
    await clock.advance(2_999);
    expect(seen.answer).toBeNull();
    await clock.advance(1);
    expect(seen.answer).toEqual({ known: V6 });
  });

  it('and has none of either, knows no such name', async () => {
    const clock = new FakeClock();
    const seen = asking(clock, resolveByFamilies(clock, [at(clock, 0, []), at(clock, 3_000, [])]));
    await clock.advance(3_000);
    expect(seen.failed).toBe(true);
  });
});

describe('addresses that come late', () => {
  const open: { close(): Promise<void> }[] = [];
  const opened = <Thing extends { close(): Promise<void> }>(thing: Thing): Thing => (open.push(thing), thing);
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  function sending(known: readonly string[], late: Promise<readonly string[]>) {
    const clock = new FakeClock();
    const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8', '224.0.0.1/32'] });
    const options = { timeoutMs: DEADLINE_MS, resolve: async () => ({ known, late }) };
    const sender = opened(new SocketWebhookSender(guard, clock, options));
    const send = (receiver: Receiver) =>
      sender.send({ projectId: 'prj_1', url: receiver.url('/', 'hooks.example'), headers: {}, body: '{}' });
    return { clock, send };
  }

  it('are not waited for where those before answer', async () => {
    const receiver = opened(await Receiver.http());
    const { send } = sending(['127.0.0.1'], hanging());
    expect(await send(receiver)).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
  });

  it('are not dialled where those before answer', async () => {
    const receiver = opened(await Receiver.http());
    const { clock, send } = sending(['127.0.0.1'], Promise.resolve(['127.0.0.1']));
    expect(await send(receiver)).toMatchObject({ kind: 'answered' });
    await clock.advance(DEADLINE_MS);
    expect(receiver.connections).toBe(1);
  });

  it('are dialled where those before refuse', async () => {
    const receiver = opened(await Receiver.http());
    const { send } = sending(['127.0.0.2'], Promise.resolve(['127.0.0.1']));
    expect(await send(receiver)).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
  });

  it('are dialled where those before do not answer within two seconds', async () => {
    const receiver = opened(await Receiver.http());
    opened(await Deaf.listen('127.0.0.2', receiver.port));
    const { clock, send } = sending(['127.0.0.2'], Promise.resolve(['127.0.0.1']));
    const sent = send(receiver);
    await settle();
    await clock.advance(1_999);
    expect(receiver.connections).toBe(0);
    await clock.advance(1);
    expect(await sent).toMatchObject({ kind: 'answered', remoteIp: '127.0.0.1' });
  });

  it.each([
    ['refuse', ['127.0.0.2'], 'connection_refused'],
    ['are forbidden', ['10.0.0.1'], 'ssrf_blocked'],
  ])('and include a forbidden one are not dialled, where those before %s', async (_what, known, error) => {
    const trap = opened(await Receiver.http());
    const { send } = sending(known, Promise.resolve(['127.0.0.1', '10.0.0.1']));
    expect(await send(trap)).toMatchObject({ kind: 'unreached', error, remoteIp: null });
    expect(trap.connections).toBe(0);
  });

  it.each([
    ['cannot be reached', '224.0.0.1', 'network_error'],
    ['refuse', '127.0.0.2', 'connection_refused'],
  ])('and are none leave the failure as it is, where those before %s', async (_what, known, error) => {
    const { send } = sending([known], Promise.resolve([]));
    expect(await send(opened(await Receiver.http()))).toMatchObject({ kind: 'unreached', error });
  });

  it('do not open a name of which a forbidden address is known', async () => {
    const trap = opened(await Receiver.http());
    const { send } = sending(['127.0.0.1', '10.0.0.1'], Promise.resolve(['127.0.0.1']));
    expect(await send(trap)).toMatchObject({ kind: 'unreached', error: 'ssrf_blocked', remoteIp: null });
    expect(trap.connections).toBe(0);
  });

  it('and never do leave the failure as it is, at the deadline', async () => {
    const receiver = opened(await Receiver.http());
    const { clock, send } = sending(['127.0.0.2'], hanging());
    const sent = send(receiver);
    await settle();
    await clock.advance(DEADLINE_MS);
    expect(await sent).toMatchObject({ kind: 'unreached', error: 'timeout', durationMs: DEADLINE_MS });
  });
});

/** Listens without accepting: a blocked thread with a full queue. */
class Deaf {
  private constructor(
    private readonly thread: Worker,
    private readonly waiting: readonly Socket[],
  ) {}

  static async listen(host: string, port: number): Promise<Deaf> {
    const code = `
      const { parentPort } = require('node:worker_threads');
      require('node:net').createServer().listen({ host: '${host}', port: ${port}, backlog: 1 }, () => {
        parentPort.postMessage('listening');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });`;
    const thread = new Worker(code, { eval: true });
    await once(thread, 'message');
    const waiting = Array.from({ length: 8 }, () => connect(port, host).on('error', () => undefined));
    await Promise.race(waiting.map((socket) => once(socket, 'connect')));
    return new Deaf(thread, waiting);
  }

  async close(): Promise<void> {
    this.waiting.forEach((socket) => socket.destroy());
    await this.thread.terminate();
  }
}
