import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { RecordingModel } from './harness/recording-model.js';

const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

let app: App;
let sockets: Socket[];
beforeEach(() => void (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.dispose();
});

function opened(localAddress = '127.0.0.1'): Socket {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Opens a connection, asks once, and stays. */
async function idle(localAddress?: string): Promise<Socket> {
  const socket = opened(localAddress);
  socket.write(HEALTH);
  await once(socket, 'data');
  return socket.resume();
}

/** Asks on a connection of its own; the status, or 0 without an answer. */
async function freshly(path: string): Promise<number> {
  const socket = opened();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  await Promise.race([once(socket, 'close'), pause(30_000, undefined, { ref: false })]);
  return Number(heard.split(' ')[1] ?? 0);
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;

async function closedFor(reason: string): Promise<number> {
  const { text } = await app.as(null).get('/metrics');
  return Number(new RegExp(`^http_connections_closed_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('where all connections are taken', () => {
  it('idle ones give way to new ones, those first that have been idle longest', async () => {
    app = await App.start();
    const all: Socket[] = [];
    for (let n = 0; n < 80; n++) all.push(...(await Promise.all(Array.from({ length: 50 }, () => idle()))));
    const late = await Promise.all(Array.from({ length: 40 }, () => idle()));
    await eventually(() => expect(all.filter(isOpen).length).toBeLessThanOrEqual(3_960));
    expect(late.filter(isOpen)).toHaveLength(40);
    expect(all.slice(-500).filter(isOpen)).toHaveLength(500);
    expect(await closedFor('idle')).toBeGreaterThanOrEqual(40);
    await eventually(() =>
      expect(app.log.split('\n').filter((line) => line.includes('connections were closed'))).toHaveLength(1),
    );
  });

  it('a probe is answered, though crowds that were closed come back at once', async () => {
    app = await App.start({ LOG_LEVEL: 'warn' });
    let isOver = false;
    const stay = (): void => {
      if (isOver) return;
      const socket = opened();
      socket.write(HEALTH);
      socket.resume().once('close', () => setTimeout(stay, 5));
    };
    for (let n = 0; n < 4_050; n++) stay();
    await pause(1_000);
    for (let n = 0; n < 40; n++) expect(await freshly('/health')).toBe(200);
    expect(await freshly('/ready')).toBe(200);
    isOver = true;
  });
});

describe('an address', () => {
  it('keeps half of the connections once another address comes', async () => {
    app = await App.start();
    const crowd: Socket[] = [];
    for (let n = 0; n < 72; n++) crowd.push(...(await Promise.all(Array.from({ length: 50 }, () => idle()))));
    expect(crowd.filter(isOpen)).toHaveLength(3_600);
    const other = await idle('127.0.0.2');
    await eventually(() => expect(crowd.filter(isOpen).length).toBeLessThanOrEqual(2_000));
    const more = await Promise.all(Array.from({ length: 100 }, () => idle()));
    await eventually(() => expect([...crowd, ...more].filter(isOpen).length).toBeLessThanOrEqual(2_000));
    expect([isOpen(other), more.every(isOpen)]).toEqual([true, true]);
    expect(await closedFor('share')).toBeGreaterThanOrEqual(1_600);
  });
});

describe('messages that wait for replies', () => {
  let model: RecordingModel;
  beforeEach(async () => {
    model = await RecordingModel.start();
    app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '110000' });
  });
  afterEach(() => model.stop());

  const posts = (client: Client, count: number) =>
    Array.from({ length: count }, (_, index) => client.say(`waiting-${index}`, 'Hello').catch(() => null));

  it('take a quarter of the connections for one project; beyond it are 429, and others are served', async () => {
    const release = model.hold();
    const other = await app.otherProject();
    const waiting = posts(app.api, 1_000);
    await eventually(async () => expect(await app.requestsInFlight()).toBe(1_000));
    const beyond = await Promise.all(posts(app.api, 5));
    for (const answer of beyond) {
      expect([answer?.status, answer?.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await app.api.get('/v1/conversations')).status).toBe(200);
    const others = posts(other, 5);
    await eventually(async () => expect(await app.requestsInFlight()).toBe(1_005));
    release();
    for (const answer of await Promise.all([...waiting, ...others])) expect(answer?.status).toBe(200);
    expect((await app.api.say('afterwards', 'Hello')).status).toBe(200);
  });

  it('of two projects take the half of their address, and a probe from it is answered still', async () => {
    const release = model.hold();
    await idle('127.0.0.2');
    const waiting = [...posts(app.api, 1_000), ...posts(await app.otherProject(), 1_000)];
    await eventually(async () => expect(model.asked).toHaveLength(2_000));
    for (let n = 0; n < 10; n++) expect([await freshly('/health'), await freshly('/ready')]).toEqual([200, 200]);
    expect(await freshly('/openapi.json')).toBe(503);
    release();
    expect((await Promise.all(waiting)).filter((answer) => answer?.status === 200)).toHaveLength(2_000);
  });
});
