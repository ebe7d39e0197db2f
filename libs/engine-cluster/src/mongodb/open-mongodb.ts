import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import type { ReadModels } from '@ports/read-models.port';
import { MongodbExpiringRecords, prepareRecords } from './expiring-records.mongodb.js';
import { MongodbReadModels } from './read-models.mongodb.js';
import { connected, type MongoDbSettings } from './store-client.js';

export interface MongoDbPorts {
  readonly records: ExpiringRecords;
  readonly readModels: ReadModels;
  /** Whether, at most two seconds ago, a primary was there and the last write succeeded. */
  health(): boolean;
  close(): Promise<void>;
}

/** Waits half a minute for a primary, then rejects with `EngineNotOpened`. Later, calls reject with `StoreUnavailable` within seconds. */
export async function openMongoDb(
  settings: MongoDbSettings,
  clock: Clock,
  log = new Logger('MongoDB'),
  pace = clock,
): Promise<MongoDbPorts> {
  const client = await connected(settings, pace, log, prepareRecords);
  const readModels = new MongodbReadModels(client, clock, pace);
  return {
    records: new MongodbExpiringRecords(client, clock),
    readModels,
    health: () => client.isWell,
    close: () => {
      readModels.close();
      return client.close();
    },
  };
}
