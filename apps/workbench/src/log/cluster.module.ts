import type { Clock } from '@ports/clock.port';
import type { EventStore } from '@ports/event-store.port';
import type { ReadModels } from '@ports/read-models.port';
import type { Config } from '@platform/config/config';

export interface ClusterPorts {
  readonly events: EventStore;
  readonly readModels: ReadModels;
  close(): Promise<void>;
}

/** The log and the rows of a cluster. Rejects with `EngineNotOpened`. */
export async function openCluster({ cluster }: Config, clock: Clock): Promise<ClusterPorts> {
  const { openEventStoreDb } = await import('../../../../libs/engine-cluster/src/eventstoredb/open-eventstoredb.js');
  const { openMongoDb } = await import('../../../../libs/engine-cluster/src/mongodb/open-mongodb.js');
  const log = await openEventStoreDb(cluster, clock);
  try {
    const database = await openMongoDb(cluster, clock);
    const close = async () => void (await Promise.all([log.close(), database.close()]));
    return { events: log.store, readModels: database.readModels, close };
  } catch (error) {
    await log.close();
    throw error;
  }
}
