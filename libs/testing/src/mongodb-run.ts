import type { ClusterSettings } from '@engine-cluster/cluster-settings';
import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';

export interface MongodbRun {
  readonly settings: Pick<ClusterSettings, 'mongodbUrl' | 'writeConcern' | 'prefix'>;
  /** Removes every collection with the prefix. */
  drop(): Promise<void>;
}

/** Settings with a prefix of its own, so that a spec has its collections to itself on a server that others use too. */
export function mongodbRun(url: string | undefined, writeConcern: 'majority' | 1 = 1): MongodbRun {
  if (!url) throw new Error('MONGODB_URL is not set: npm run test:cluster starts a server');
  const prefix = `spec-${randomUUID().slice(0, 8)}-`;
  return {
    settings: { mongodbUrl: url, writeConcern, prefix },
    async drop() {
      const client = await MongoClient.connect(url);
      const collections = await client.db().listCollections().toArray();
      for (const { name } of collections) if (name.startsWith(prefix)) await client.db().dropCollection(name);
      await client.close();
    },
  };
}
