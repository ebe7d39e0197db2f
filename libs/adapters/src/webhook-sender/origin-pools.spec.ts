import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { type UndiciOptions, UndiciWebhookSender } from './webhook-sender.undici.js';

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

function sending(options: Partial<UndiciOptions>) {
  const clock = new FakeClock();
  const sender = new UndiciWebhookSender(guard, clock, { timeoutMs: DEADLINE_MS, ...options });
  const send = (url: string, projectId = 'prj_1') => sender.send({ projectId, url, headers: {}, body: '{}' });
  return { clock, sender, send };
}

describe('pools of connections', () => {
  it('are as many as allowed: the one used least recently gives way', async () => {
    const receiver = await receiving();
    const { send, sender } = sending({ maxOrigins: 2 });
    await send(receiver.url(), 'prj_1');
    await send(receiver.url(), 'prj_2');
    await send(receiver.url(), 'prj_1');
    await send(receiver.url(), 'prj_3');
    expect(sender.openOrigins).toBe(2);
    await receiver.until(({ openConnections }) => openConnections <= 3);
    const before = receiver.connections;
    await send(receiver.url(), 'prj_1');
    expect(receiver.connections).toBe(before);
    await send(receiver.url(), 'prj_2');
    expect(receiver.connections).toBe(before + 1);
    await sender.close();
  });

  it('that give way finish what is under way in them', async () => {
    const receiver = await receiving(
      (request, response) => void (request.url === '/slow' ? slow.push(response) : response.end()),
    );
    const slow: { end(text: string): unknown }[] = [];
    const { send, sender } = sending({ maxOrigins: 1 });
    const pending = send(receiver.url('/slow'), 'prj_1');
    await receiver.until(() => slow.length === 1);
    await send(receiver.url('/'), 'prj_2');
    expect(sender.openOrigins).toBe(1);
    slow[0]?.end('finished');
    expect(await pending).toMatchObject({ kind: 'answered', body: 'finished' });
    await sender.close();
  });

  it('are closed when nobody used them for a while', async () => {
    const receiver = await receiving();
    const { clock, send, sender } = sending({ idleMs: 60_000 });
    await send(receiver.url(), 'prj_1');
    await clock.advance(50_000);
    await send(receiver.url(), 'prj_2');
    await clock.advance(10_000);
    expect(sender.openOrigins).toBe(1);
    await clock.advance(60_000);
    expect(sender.openOrigins).toBe(0);
    expect(clock.pending).toBe(0);
    await receiver.until(({ openConnections }) => openConnections === 0);
    expect(await send(receiver.url(), 'prj_1')).toMatchObject({ kind: 'answered' });
    await sender.close();
    expect(clock.pending).toBe(0);
  });

  it('keep the deadline of those who wait for a connection, and send them no more after it', async () => {
    const receiver = await receiving((request, response) => void (request.url === '/slow' || response.end()));
    const { clock, send, sender } = sending({ connectionsPerOrigin: 1 });
    const slow = send(receiver.url('/slow'));
    await receiver.until(({ requests }) => requests.length === 1);
    await clock.advance(1000);
    const waiting = send(receiver.url('/waiting'));
    await clock.advance(DEADLINE_MS - 1001);
    const patient = send(receiver.url('/patient'));
    await clock.advance(1);
    expect(await slow).toMatchObject({ error: 'timeout', durationMs: DEADLINE_MS });
    expect(await waiting).toMatchObject({ kind: 'answered' });
    expect(await patient).toMatchObject({ kind: 'answered' });
    await sender.close();
  });

  it('make nobody wait who is posted to at many of its addresses at once', async () => {
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

  it('forget those whose deadline passed in the queue', async () => {
    const receiver = await receiving();
    let answer = (): void => undefined;
    const answered = new Promise<void>((done) => (answer = done));
    const resolve = async () => answered.then(() => ['127.0.0.1']);
    const { clock, send, sender } = sending({ connectionsPerOrigin: 1, resolve });
    const queued = Array.from({ length: 6 }, (_, index) => send(receiver.url(`/${index}`, 'hooks.example')));
    await clock.advance(DEADLINE_MS);
    const results = await Promise.all(queued);
    expect(results.map((result) => result.kind === 'unreached' && result.error)).toEqual(new Array(6).fill('timeout'));
    const last = send(receiver.url('/last', 'hooks.example'));
    answer();
    expect(await last).toMatchObject({ kind: 'answered' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/last']);
    expect(receiver.connections).toBe(2);
    await sender.close();
  });
});
