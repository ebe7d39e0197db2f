import { SystemClock } from '@adapters/clock.system';
import { Logger } from '@nestjs/common';
import { eventually } from '@ports/contracts/eventually';
import { StoreUnavailable } from '@ports/event-store.port';
import { ownMongodb } from '@testing/mongodb-engine';
import { mongodbRun } from '@testing/mongodb-run';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../../tools/engines/tcp-proxy.mjs';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';

const clock = new SystemClock();
/** Four heartbeats, two more until the driver is reconnected, and a margin. */
const BACK_WITHIN_MS = 8_000;
const HELLO = Buffer.from('\x10hello\0\x01\0\0\0');

describe('a driver that ceases to look at its server', () => {
  let server: Awaited<ReturnType<typeof ownMongodb>>;
  let proxy: TcpProxy;
  let ports: MongoDbPorts;
  const log = new Logger('MongoDB');
  const warned = jest.fn();
  log.warn = warned;

  beforeAll(async () => {
    server = await ownMongodb();
    proxy = await TcpProxy.before(server.engine.port);
    const url = server.engine.url.replace(`:${server.engine.port}/`, `:${proxy.port}/`);
    ports = await openMongoDb(mongodbRun(url).settings, clock, log);
  });
  afterEach(() => warned.mockClear());
  afterAll(async () => {
    await ports.close();
    await proxy.close();
    await server.end();
  });

  const linesOfWatchdog = () => warned.mock.calls.flat().filter((line) => !String(line).startsWith('MongoDB '));

  /** Makes the driver notice by a call that its server is gone. */
  const endConnections = async () => {
    proxy.mode = 'refuse';
    proxy.end();
    await expect(create('away')).rejects.toThrow(StoreUnavailable);
    expect(ports.health()).toBe(false);
  };
  const create = async (key: string): Promise<void> => void (await ports.records.create(key, 'value', clock.now() + 60_000));

  it('is connected anew, and calls go on by themselves', async () => {
    await loseHeartbeat();
    await endConnections();
    proxy.mode = 'pass';
    await eventually(() => create(`after ${performance.now()}`), BACK_WITHIN_MS);
    expect(ports.health()).toBe(true);
    expect(linesOfWatchdog()).toEqual([expect.stringMatching(/no longer looks at 127\.0\.0\.1:\d+ and is connected anew/)]);
  });

  it('is connected anew once its server is back, where that is away meanwhile', async () => {
    await loseHeartbeat();
    await endConnections();
    await sleep(BACK_WITHIN_MS);
    proxy.mode = 'pass';
    await eventually(() => create(`back ${performance.now()}`), 3_000);
  });

  it('is left alone where it looks at a server that is away', async () => {
    proxy.mode = 'hold';
    await sleep(BACK_WITHIN_MS);
    proxy.mode = 'pass';
    await eventually(() => create(`left ${performance.now()}`), 3_000);
    expect(linesOfWatchdog()).toEqual([]);
  });
});

/** Writes one heartbeat as to an ending socket: it is not sent, and no event reports it. */
async function loseHeartbeat(): Promise<void> {
  const write = Socket.prototype.write;
  await new Promise<void>((resolve) => {
    jest.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...given: unknown[]) {
      const [data] = given;
      if (!(data instanceof Uint8Array) || !Buffer.from(data).includes(HELLO)) return Reflect.apply(write, this, given);
      jest.mocked(Socket.prototype.write).mockRestore();
      resolve();
      return false;
    });
  });
}
