import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import type { ReadModels } from '@ports/read-models.port';
import { MongodbExpiringRecords, prepareRecords } from './expiring-records.mongodb.js';
import { MongodbReadModels } from './read-models.mongodb.js';
import { connected, type MongoDbSettings } from './store-client.js';

/** The ports that MongoDB serves. */
export interface MongoDbPorts {
  readonly records: ExpiringRecords;
  readonly readModels: ReadModels;
  /**
   * Whether a server that takes writes was there when the driver last looked, at most a second or two ago, and stored what was
   * written last.
   */
  health(): boolean;
  /** Ends every wait, then every call under way. */
  close(): Promise<void>;
}

/**
 * Connects, waiting half a minute for a server that is absent or not yet primary, then rejects with `EngineNotOpened`. Later on
 * calls reject with `StoreUnavailable` while the server is away, within seconds. `pace` is the clock of what looks at the store
 * again and again.
 */
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
