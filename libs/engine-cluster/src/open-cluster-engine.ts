import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import type { Engine } from '@ports/engine.port';
import type { EventStore } from '@ports/event-store.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import type { MessageBus } from '@ports/message-bus.port';
import type { ReadModels } from '@ports/read-models.port';
import type { ClusterSettings } from './cluster-settings.js';
import { ClusterEngine, type OpenServer } from './engine.cluster.js';
import { openEventStoreDb } from './eventstoredb/open-eventstoredb.js';
import { servesAll } from './kafka/kafka-health.js';
import { openKafka } from './kafka/open-kafka.js';
import { openMongoDb } from './mongodb/open-mongodb.js';

export interface ClusterPorts {
  readonly events: EventStore;
  readonly readModels: ReadModels;
  readonly records: ExpiringRecords;
  readonly bus: MessageBus;
  readonly engine: Engine;
}

export interface ClusterUse {
  /** The servers without which the process cannot serve. */
  readonly needs: readonly OpenServer['name'][];
  /** Called when a consumer made no progress for two minutes while brokers answered, though its member was replaced. */
  readonly onStalled?: () => void;
}

/** Waits half a minute for EventStoreDB and MongoDB, then rejects with `EngineNotOpened`. Kafka may be absent. */
export async function openClusterEngine(settings: ClusterSettings, use: ClusterUse, clock: Clock): Promise<ClusterPorts> {
  const opened: OpenServer[] = [];
  const add = (name: OpenServer['name'], server: Pick<OpenServer, 'health' | 'close'>): void =>
    void opened.push({ name, needed: use.needs.includes(name), health: server.health, close: server.close });
  try {
    const [log, database] = await Promise.all([
      openEventStoreDb(settings, clock, new Logger('EventStoreDB')).then((log) => (add('EventStoreDB', log), log)),
      openMongoDb(settings, clock, new Logger('MongoDB')).then((database) => (add('MongoDB', database), database)),
    ]);
    const { onStalled } = use;
    const kafka = openKafka(settings, clock, { log: new Logger('Kafka'), ...(onStalled && { onStalled }) });
    add('Kafka', { health: () => servesAll(kafka.health()), close: () => kafka.close() });
    const { store: events } = log;
    const { readModels, records } = database;
    return { events, readModels, records, bus: kafka.bus, engine: new ClusterEngine(opened) };
  } catch (error) {
    await Promise.allSettled(opened.map(({ close }) => close()));
    throw error;
  }
}
