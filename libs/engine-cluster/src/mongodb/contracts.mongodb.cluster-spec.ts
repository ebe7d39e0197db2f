import { SystemClock } from '@adapters/clock.system';
import { expiringRecordsContract } from '@ports/contracts/expiring-records.contract';
import { versionsContract } from '@ports/contracts/read-model-versions.contract';
import { readModelsContract } from '@ports/contracts/read-models.contract';
import { FakeClock } from '@testing/fake-clock';
import { mongodbRun } from '@testing/mongodb-run';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';

async function temporary() {
  // The server removes by its own clock what expired long ago.
  const clock = new FakeClock(Date.now());
  const { settings, drop } = mongodbRun(process.env['MONGODB_URL']);
  const opened: MongoDbPorts[] = [];
  const open = async () => {
    const ports = await openMongoDb(settings, clock, undefined, new SystemClock());
    opened.push(ports);
    return ports;
  };
  return {
    ...(await open()),
    clock,
    open,
    async close() {
      await Promise.all(opened.map((ports) => ports.close()));
      await drop();
    },
  };
}

expiringRecordsContract('MongodbExpiringRecords', async () => {
  const store = await temporary();
  return { ...store, another: async () => (await store.open()).records };
});

readModelsContract('MongodbReadModels', async () => {
  const store = await temporary();
  return { ...store, another: async () => (await store.open()).readModels };
});

versionsContract('MongodbReadModels', async () => {
  const store = await temporary();
  return { one: store.readModels, other: (await store.open()).readModels, now: () => Date.now(), close: store.close };
});
