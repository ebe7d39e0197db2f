import { isLoggedByEngine, StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { type MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { EventEmitter } from 'node:events';
import { StoreClient } from './store-client.js';

const OUT_OF_DISK_SPACE = new MongoServerError({ message: 'no space left on the device', code: 14031 });
const BAD_VALUE = new MongoServerError({ message: 'cannot make sense of it', code: 2 });

let driver: EventEmitter;
let client: StoreClient;
let clock: FakeClock;
let lines: string[];
const server = (isWritable: boolean) =>
  driver.emit('topologyDescriptionChanged', { newDescription: { servers: new Map([['one', { isWritable }]]) } });
const written = () => client.write(() => Promise.resolve('stored'));
const refused = (error: Error) => client.write(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

beforeEach(() => {
  driver = new EventEmitter();
  [clock, lines] = [new FakeClock(), []];
  client = new StoreClient(driver as MongoClient, '', clock, { warn: (line: string) => void lines.push(line) });
  server(true);
});

describe('a store is well', () => {
  it('while a server is there that takes writes', () => {
    expect(client.isWell).toBe(true);
    server(false);
    expect(client.isWell).toBe(false);
  });

  it('no longer once its server stores nothing, as on a full disk, though it is read, until it stores again', async () => {
    expect(await refused(OUT_OF_DISK_SPACE)).toBeInstanceOf(StoreUnavailable);
    expect(client.isWell).toBe(false);
    await client.ask(() => Promise.resolve('read'));
    expect(client.isWell).toBe(false);
    await written();
    expect(client.isWell).toBe(true);
  });

  it('again with a server that came back, which nothing was written to yet', async () => {
    await refused(OUT_OF_DISK_SPACE);
    server(false);
    server(true);
    expect(client.isWell).toBe(true);
  });

  it('whatever becomes of a write that began while its server was away', async () => {
    server(false);
    let fail: (error: Error) => void = () => undefined;
    const late = client.write(() => new Promise((_, reject) => (fail = reject))).catch((thrown: unknown) => thrown);
    server(true);
    fail(new MongoNetworkError('connection 7 to 10.0.0.7:27017 closed'));
    expect(await late).toBeInstanceOf(StoreUnavailable);
    expect(client.isWell).toBe(true);
  });

  it('though the server could not make sense of a write, which is a mistake of ours', async () => {
    expect(await refused(BAD_VALUE)).toBe(BAD_VALUE);
    expect(client.isWell).toBe(true);
  });
});

describe('the log', () => {
  const lost = new MongoNetworkError('connection 7 to 10.0.0.7:27017 closed');
  const callEachSecond = async (seconds: number, error: Error) => {
    for (let second = 0; second < seconds; second += 1) {
      await refused(error);
      await clock.advance(1_000);
    }
  };
  beforeEach(() => {
    Object.assign(driver, { close: () => Promise.resolve() });
    client.watch();
  });
  afterEach(() => client.close());

  it('has an outage when it begins, once a minute and at its end, and nothing of the calls that fail of it', async () => {
    server(false);
    await callEachSecond(150, lost);
    server(true);
    await clock.advance(1_000);
    expect(lines).toEqual([
      'MongoDB does not answer',
      'MongoDB has not served for 60 s: it does not answer',
      'MongoDB has not served for 120 s: it does not answer',
      'MongoDB serves again, after 150 s',
    ]);
  });

  it('says so where the server answers and stores nothing', async () => {
    await callEachSecond(1, OUT_OF_DISK_SPACE);
    await written();
    await clock.advance(1_000);
    expect(lines).toEqual(['MongoDB does not store writes', 'MongoDB serves again, after 1 s']);
  });

  it('has calls that fail though the server is there, once a minute and without what the driver says of them', async () => {
    const read = () => client.ask(() => Promise.reject(lost)).catch((thrown: unknown) => thrown);
    for (let second = 0; second < 90; second += 1) {
      expect(isLoggedByEngine(await read())).toBe(true);
      await clock.advance(1_000);
    }
    expect(lines).toEqual(Array(2).fill('MongoDB does not answer a call: MongoNetworkError'));
  });
});
