import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import { MongodbExpiringRecords, prepareRecords } from './expiring-records.mongodb.js';
import { connected, type MongoDbSettings } from './store-client.js';

/** The ports that MongoDB serves. */
export interface MongoDbPorts {
  readonly records: ExpiringRecords;
  /** Whether a server that takes writes was there when the driver last looked, at most a second or two ago. */
  health(): boolean;
  /** Ends every call under way. */
  close(): Promise<void>;
}

/**
 * Connects, waiting half a minute for a server that is absent or not yet primary, then rejects with `EngineNotOpened`. Later on
 * calls reject with `StoreUnavailable` while the server is away, within seconds.
 */
export async function openMongoDb(settings: MongoDbSettings, clock: Clock, log = new Logger('MongoDB')): Promise<MongoDbPorts> {
  const client = await connected(settings, clock, log, prepareRecords);
  return {
    records: new MongodbExpiringRecords(client, clock),
    health: () => client.isReachable,
    close: () => client.close(),
  };
}
