import type { Socket } from 'node:net';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { AnswerReader } from './answer-reader.js';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { SocketWebhookSender } from './webhook-sender.sockets.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const BODY = '{"a":1}';
const OK = { kind: 'answered', status: 200, body: 'ok', bodyTruncated: false };

let sender: SocketWebhookSender;
let receiver: Receiver;

beforeEach(() => {
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
  sender = new SocketWebhookSender(guard, new FakeClock(), { timeoutMs: 15_000 });
});
afterEach(async () => {
  await receiver.close();
  await sender.close();
});

const send = () => sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: BODY });

async function saying(...packets: readonly (string | Buffer)[]): Promise<void> {
  const say = async (socket: Socket) => {
    for (const packet of packets) {
      socket.write(packet);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const answer = (socket: Socket) => (sent: Buffer) => void (sent.toString().endsWith(BODY) && say(socket));
  receiver = await Receiver.tcp((socket) => void socket.setNoDelay().on('data', answer(socket)));
}

describe('an answer after interim ones', () => {
  it.each([
    ['after 100', [CONTINUE + FINAL]],
    ['after 100 in a packet of its own', [CONTINUE, FINAL]],
    ['after several', [CONTINUE + HINTS + CONTINUE, HINTS, CONTINUE + FINAL]],
    ['byte by byte', [...(CONTINUE + HINTS + FINAL)]],
    ['none, byte by byte', [...FINAL]],
  ])('is the answer: %s', async (_how, packets) => {
    await saying(...packets);
    expect(await send()).toMatchObject(OK);
    await new Promise(setImmediate);
    expect(await send()).toMatchObject(OK);
    expect(receiver.connections).toBe(1);
  });

  it('keeps a body that looks like one', async () => {
    await saying(`${CONTINUE}HTTP/1.1 200 OK\r\nContent-Length: ${CONTINUE.length}\r\n\r\n`, CONTINUE);
    expect(await send()).toMatchObject({ kind: 'answered', status: 200, body: CONTINUE });
  });

  it('may be a refusal', async () => {
    await saying(`${CONTINUE}HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n`);
    expect(await send()).toMatchObject({ kind: 'answered', status: 404 });
  });

  it('is missing when nothing follows', async () => {
    receiver = await Receiver.tcp((socket) => void socket.once('data', () => socket.end(CONTINUE)));
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
  });

  it('is missing when an interim one never ends', async () => {
    receiver = await Receiver.tcp((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 102 Processing\r\nX: ${'x'.repeat(300_000)}`));
    });
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'network_error' });
  });

  it.each([HINTS, `\r\n${HINTS}`, '\r\n'])('is missing when there is no end of them: %j', async (interim) => {
    receiver = await endless('', interim);
    expect(await send()).toMatchObject({ kind: 'unreached', error: 'network_error' });
  });
});

describe('an answer', () => {
  it.each([
    ['extension', '1;', 'x'],
    ['line of chunks', '', '1;x\r\n\r\n'],
    ['word behind it', '0\r\n\r\n', 'more'],
  ])('that has an endless %s is cut off', async (_what, begun, more) => {
    receiver = await endless(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${begun}`, more);
    expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
    await receiver.until(({ openConnections }) => openConnections === 0);
  });

  it('comes in four thousand pieces at most', () => {
    const reader = new AnswerReader();
    reader.take(Buffer.from('HTTP/1.1 200 OK\r\nX: '));
    let pieces = 1;
    while (!reader.isOver) {
      reader.take(Buffer.from('x'));
      pieces++;
    }
    expect([pieces, reader.status]).toEqual([4_097, 200]);
  });

  it('has 64 KiB, and what came with the last of them', () => {
    const reader = new AnswerReader();
    reader.take(Buffer.from('HTTP/1.1 200 OK\r\n'));
    for (let n = 0; n < 5; n++) {
      expect(reader.isOver).toBe(false);
      reader.take(Buffer.alloc(16 * 1024, 'x: y\r\n'));
    }
    reader.take(Buffer.from('\r\n'));
    expect([reader.isOver, reader.status, reader.hasHead]).toEqual([true, 200, false]);
  });

  it('may follow 256 KiB of interim ones, however they come, and be as long as any', () => {
    const long = `HTTP/1.1 103 Early Hints\r\nLink: </${'a'.repeat(16_000)}>\r\n\r\n`;
    const body = 'b'.repeat(15_000);
    const final = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const [count, status, size] of [
      [16, 200, body.length],
      [17, null, undefined],
    ] as const) {
      for (const pieces of [[long.repeat(count) + final + body], [...new Array<string>(count).fill(long), final, body]]) {
        const reader = new AnswerReader();
        for (const piece of pieces) if (!reader.isOver) reader.take(Buffer.from(piece));
        expect([reader.isOver, reader.status, reader.body?.bytes.length]).toEqual([true, status, size]);
      }
    }
  });

  it('that is longer than it may be is one as far as it goes', async () => {
    await saying(`HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(3_000_000)}`);
    for (let n = 0; n < 5; n++) {
      expect(await send()).toMatchObject({ kind: 'answered', status: 200, bodyTruncated: true });
    }
  });

  it('may be long each time', async () => {
    const body = 'x'.repeat(15_000);
    await saying(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    for (let n = 0; n < 5; n++) {
      expect(await send()).toMatchObject({ ...OK, body });
      await new Promise(setImmediate);
    }
    expect(receiver.connections).toBe(1);
  });
});

function endless(beginning: string, more: string): Promise<Receiver> {
  return Receiver.tcp((socket) => {
    const goOn = () => void (socket.destroyed || socket.write(more.repeat(1_000), () => setImmediate(goOn)));
    socket.on('error', () => undefined).once('data', () => socket.write(beginning, goOn));
  });
}
