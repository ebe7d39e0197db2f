import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { position, row, rowsOf } from '@ports/contracts/note-rows';
import { EngineNotOpened } from '@ports/engine.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { ownMongodb } from '@testing/mongodb-engine';
import { mongodbRun } from '@testing/mongodb-run';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../../tools/engines/tcp-proxy.mjs';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';

const REJECTED_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 3_000;
const SETTLES_WITHIN_MS = ENGINE_CONSTANTS.mongoDb.callWithinMs;
const clock = new SystemClock();
const schema = { name: 'notes', version: 1, filterFields: ['status'], dueFields: ['dueAt'] };
const query = { projectId: 'p', filter: [], order: 'asc', limit: 10 } as const;

/** One call of each kind. `reached` times out by itself. */
const calls = ({ records, readModels }: MongoDbPorts): Readonly<Record<string, () => Promise<unknown>>> => ({
  get: () => records.get('key'),
  create: () => records.create('key', 'value', clock.now() + 60_000),
  replace: () => records.replace('key', 'version', 'value', clock.now() + 60_000),
  remove: () => records.remove('key', 'version'),
  define: () => readModels.define(schema),
  apply: () => readModels.apply('notes', [row('n9', 9)], position(9)),
  getMany: () => readModels.getMany('notes', ['n1']),
  list: () => readModels.list('notes', query),
  due: () => readModels.due('notes', 'dueAt', 10, 10),
  checkpoint: () => readModels.checkpoint('notes'),
  isRestored: () => readModels.isRestored('notes'),
  rebuild: () => readModels.rebuild('notes'),
});

async function outcomes(ports: MongoDbPorts) {
  return Promise.all(
    Object.entries(calls(ports)).map(async ([name, call]) => {
      const begunAt = performance.now();
      const error = await call().then(
        () => null,
        (failure: unknown) => failure,
      );
      return { name, isUnavailable: error instanceof StoreUnavailable, isLate: performance.now() - begunAt > REJECTED_WITHIN_MS };
    }),
  );
}

const allUnavailable = (ports: MongoDbPorts) =>
  Object.keys(calls(ports)).map((name) => ({ name, isUnavailable: true, isLate: false }));

async function isBack(ports: MongoDbPorts): Promise<void> {
  const begunAt = performance.now();
  await eventually(async () => {
    await ports.records.create(`back ${performance.now()}`, 'value', clock.now() + 60_000);
    await ports.readModels.list('notes', query);
  }, BACK_WITHIN_MS);
  expect(performance.now() - begunAt).toBeLessThan(BACK_WITHIN_MS);
}

describe('while MongoDB is away', () => {
  let server: Awaited<ReturnType<typeof ownMongodb>>;
  let proxy: TcpProxy;
  let ports: MongoDbPorts;

  beforeAll(async () => {
    server = await ownMongodb();
    proxy = await TcpProxy.before(server.engine.port);
    const url = server.engine.url.replace(`:${server.engine.port}/`, `:${proxy.port}/`);
    ports = await openMongoDb(mongodbRun(url).settings, clock);
    await ports.readModels.define(schema);
    await ports.readModels.apply('notes', rowsOf(1, 3), position(3));
  });
  afterEach(async () => {
    proxy.mode = 'pass';
    await isBack(ports);
  });
  afterAll(async () => {
    await ports.close();
    await proxy.close();
    await server.end();
  });

  it('every call over silent connections is refused in time, and the next ones work once they are well', async () => {
    expect(ports.health()).toBe(true);
    proxy.mode = 'hold';
    expect(await outcomes(ports)).toEqual(allUnavailable(ports));
    expect(await outcomes(ports)).toEqual(allUnavailable(ports));
    expect(ports.health()).toBe(false);
    proxy.mode = 'pass';
    await isBack(ports);
    expect(ports.health()).toBe(true);
  });

  it('every call is refused in time where connections are refused, and the next ones work once they are not', async () => {
    proxy.mode = 'refuse';
    proxy.cut();
    expect(await outcomes(ports)).toEqual(allUnavailable(ports));
    await eventually(() => expect(ports.health()).toBe(false), BACK_WITHIN_MS);
    proxy.mode = 'pass';
    await isBack(ports);
  });

  it('a wait for a checkpoint is refused or given up in time', async () => {
    proxy.mode = 'hold';
    const begunAt = performance.now();
    const told = await ports.readModels.reached('notes', position(99), 2_000).catch((error: unknown) => error);
    expect([false, expect.any(StoreUnavailable)]).toContainEqual(told);
    expect(performance.now() - begunAt).toBeLessThan(REJECTED_WITHIN_MS);
  });

  it('a wait for a checkpoint goes on over a short absence', async () => {
    const told = ports.readModels.reached('notes', position(20), 20_000);
    await sleep(100);
    proxy.cut();
    await isBack(ports);
    await ports.readModels.define(schema);
    await ports.readModels.apply('notes', [row('n20', 20)], position(20));
    expect(await told).toBe(true);
  });

  it('no call is left open by connections that end while it is written', async () => {
    const open = new Set<Promise<unknown>>();
    for (let round = 0; round < 60; round++) {
      const begunAt = performance.now();
      while (performance.now() - begunAt < 150) {
        if (open.size < 30) {
          const call = ports.records.get('key').catch(() => undefined);
          open.add(call);
          void call.then(() => open.delete(call));
        }
        await setImmediate();
      }
      proxy.end();
    }
    await eventually(() => expect(open.size).toBe(0), 2 * SETTLES_WITHIN_MS);
  });

  it('callers go on within seconds of a restart under load', async () => {
    for (const end of ['stop', 'kill'] as const) {
      let stopped = false;
      const load = Array.from({ length: 16 }, async (_, caller) => {
        while (!stopped) await ports.records.create(`${end} ${caller}`, 'value', clock.now() + 60_000).catch(() => sleep(10));
      });
      await sleep(200);
      await server.engine[end]();
      await sleep(500);
      await server.engine.restart();
      await isBack(ports);
      stopped = true;
      await Promise.all(load);
    }
  });

  it('a start waits for it', async () => {
    await server.engine.stop();
    const opening = openMongoDb(mongodbRun(server.engine.url).settings, clock);
    await sleep(1_000);
    await server.engine.restart();
    const late = await opening;
    expect((await late.records.create('key', 'value', clock.now() + 60_000)).created).toBe(true);
    await late.close();
  });

  it('a start gives up after half a minute, and says where it looked without the password', async () => {
    const hurried = new FakeClock();
    const mongodbUrl = 'mongodb://app:s3cret@127.0.0.1:1/notes?authSource=admin&appName=s3cret';
    const opening = openMongoDb({ mongodbUrl, writeConcern: 1, prefix: '' }, hurried).catch((error: unknown) => error);
    let isOver = false;
    void opening.then(() => (isOver = true));
    while (!isOver) {
      await hurried.advance(10_000);
      await sleep(50);
    }
    const refused = await opening;
    expect(refused).toBeInstanceOf(EngineNotOpened);
    expect(String(refused)).toMatch(/MONGODB_URL mongodb:\/\/127\.0\.0\.1:1\/notes/);
    expect(String(refused)).not.toContain('s3cret');
  });

  it.each([
    'mongo://app:s3cret@host/notes',
    'mongodb://app:s3cret@ho st:x/notes',
    'mongodb://app:s3cret?s3cret@host/notes',
    's3cret',
  ])('a start refuses what is no address at once, without the password: %s', async (mongodbUrl) => {
    const refused = await openMongoDb({ mongodbUrl, writeConcern: 1, prefix: '' }, clock).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EngineNotOpened);
    expect(String(refused)).toContain('MONGODB_URL');
    expect(String(refused)).not.toContain('s3cret');
  });
});
