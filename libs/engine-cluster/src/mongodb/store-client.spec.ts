import { Logger } from '@nestjs/common';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { type MongoClient, MongoServerError } from 'mongodb';
import { EventEmitter } from 'node:events';
import { StoreClient } from './store-client.js';

const OUT_OF_DISK_SPACE = new MongoServerError({ message: 'no space left on the device', code: 14031 });
const BAD_VALUE = new MongoServerError({ message: 'cannot make sense of it', code: 2 });

let driver: EventEmitter;
let client: StoreClient;
const server = (isWritable: boolean) =>
  driver.emit('topologyDescriptionChanged', { newDescription: { servers: new Map([['one', { isWritable }]]) } });
const written = () => client.write(() => Promise.resolve('stored'));
const refused = (error: Error) => client.write(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

beforeEach(() => {
  driver = new EventEmitter();
  client = new StoreClient(driver as MongoClient, '', new FakeClock(), new Logger('MongoDB'));
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

  it('though the server could not make sense of a write, which is a mistake of ours', async () => {
    expect(await refused(BAD_VALUE)).toBe(BAD_VALUE);
    expect(client.isWell).toBe(true);
  });
});
