import { eventStoreContract } from '@ports/contracts/event-store.contract';
import { expiringRecordsContract } from '@ports/contracts/expiring-records.contract';
import { messageBusContract } from '@ports/contracts/message-bus.contract';
import { readModelsContract } from '@ports/contracts/read-models.contract';
import { FakeClock } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adaptersOver, type EmbeddedPorts, openEmbeddedEngine } from './open-embedded-engine.js';

async function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'engine-'));
  const clock = new FakeClock();
  let ports: EmbeddedPorts = await openEmbeddedEngine(directory, clock);
  return {
    ...ports,
    clock,
    another() {
      // Each case adds a listener that stays until the engine is closed.
      for (const notices of [ports.store.logNotices, ports.store.rowNotices]) notices.setMaxListeners(0);
      return adaptersOver(ports.store);
    },
    async reopen() {
      await ports.engine.close();
      ports = await openEmbeddedEngine(directory, clock);
      return ports;
    },
    async close() {
      await ports.engine.close();
      rmSync(directory, { recursive: true });
    },
  };
}

eventStoreContract('EmbeddedEventStore', async () => {
  const engine = await temporary();
  return {
    ...engine,
    store: engine.events,
    another: () => Promise.resolve(engine.another().events),
    restart: async () => (await engine.reopen()).events,
  };
});

readModelsContract('EmbeddedReadModels', async () => {
  const engine = await temporary();
  return { ...engine, another: () => Promise.resolve(engine.another().readModels) };
});

expiringRecordsContract('EmbeddedExpiringRecords', async () => {
  const engine = await temporary();
  return { ...engine, another: () => Promise.resolve(engine.another().records) };
});

messageBusContract('EmbeddedMessageBus', async () => {
  const engine = await temporary();
  return {
    ...engine,
    another: () => Promise.resolve(engine.another().bus),
    restart: async () => (await engine.reopen()).bus,
  };
});
