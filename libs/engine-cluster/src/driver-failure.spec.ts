import { EventStoreDBClient } from '@eventstore/db-client';
import { Kafka } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { freePort } from '../../../tools/engines/free-port.mjs';
import { driverFailure } from './driver-failure.js';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

const failedAt = (...sites: readonly string[]) =>
  Object.assign(new Error('no leader'), { stack: `Error: no leader\n${sites.map((site) => `    at ${site}`).join('\n')}` });

describe('a failure of a driver', () => {
  it('of EventStoreDB that finds no member of a cluster is known by the driver that made it', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const client = EventStoreDBClient.connectionString(`esdb://${nowhere},${nowhere}?tls=false&maxDiscoverAttempts=1`);
    const failure = await failureOf(client.readAll({ maxCount: 1 })[Symbol.asyncIterator]().next());
    expect(driverFailure(failure)).toEqual({
      server: 'EventStoreDB',
      at: expect.stringMatching(/^@eventstore\/db-client\/\S+\.\w+:\d+:\d+$/),
    });
  });

  it('of EventStoreDB that has no connection is known', async () => {
    const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${await freePort()}?tls=false`);
    expect(driverFailure(await failureOf(client.tombstoneStream('none')))).toMatchObject({ server: 'EventStoreDB' });
  });

  it('of Kafka is known', async () => {
    const kafka = new Kafka({ brokers: [`127.0.0.1:${await freePort()}`], retry: { retries: 0 }, logLevel: 0 });
    expect(driverFailure(await failureOf(kafka.admin().connect()))).toMatchObject({ server: 'Kafka' });
  });

  it('of MongoDB is known', async () => {
    const client = new MongoClient(`mongodb://127.0.0.1:${await freePort()}`, { serverSelectionTimeoutMS: 50 });
    expect(driverFailure(await failureOf(client.connect()))).toMatchObject({ server: 'MongoDB' });
    await client.close();
  });

  it('is known below what Node itself calls', () => {
    const site = 'Connection.write (/srv/node_modules/kafkajs/src/network/connection.js:7:1)';
    expect(driverFailure(failedAt('Socket.write (node:net:1:2)', 'new Promise (<anonymous>)', site))).toEqual({
      server: 'Kafka',
      at: 'kafkajs/src/network/connection.js:7:1',
    });
  });
});

describe('no failure of a driver', () => {
  it.each([
    ['a fault of the service', () => new TypeError('x is undefined')],
    [
      'a fault that a driver called',
      () => failedAt('decide (/srv/bundle/main.js:1:2)', 'run (/srv/node_modules/kafkajs/src/a.js:3:4)'),
    ],
    ['a fault of another package', () => failedAt('parse (/srv/node_modules/kafkajs-tools/index.js:1:2)')],
    ['an error whose message looks like a call site', () => new Error('x\n    at run (/srv/node_modules/mongodb/lib/a.js:1:2)')],
    ['an error without call sites', () => Object.assign(new Error('x'), { stack: undefined })],
    ['what is no error', () => 'Failed to discover'],
  ])('is %s', (_, make) => expect(driverFailure(make())).toBeUndefined());
});
