import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string>>;

/** A row as a service has stored it, on any engine. */
export interface PlantedRow {
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly sortId: string;
  readonly position: string;
  readonly deleted: boolean;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Rows as nothing but a fault would store them: written into the store beside the service. */
export interface PlantedRows {
  /** The row as it is stored. */
  find(id: string): Promise<PlantedRow>;
  /** Replaces the row of this id, or adds it. */
  put(row: PlantedRow): Promise<void>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/** @param stores the settings that lead to the stores of an installation */
export async function plantedRows(stores: Variables, collection: string): Promise<PlantedRows> {
  return stores['ENGINE'] === 'cluster' ? onMongoDb(stores, collection) : inFile(stores, collection);
}

function inFile({ DATA_DIR = '' }: Variables, collection: string): PlantedRows {
  const db = new DatabaseSync(join(DATA_DIR, 'store.sqlite'), { timeout: 10_000 });
  const { generation } = db.prepare('SELECT generation FROM collections WHERE name = ?').get(collection) as {
    generation: number;
  };
  const table = `[rows ${collection} ${generation}]`;
  const add = `INSERT INTO ${table} (id, project_id, created_at, sort_id, deleted, position, stored) VALUES (?, ?, ?, ?, ?, ?, ?)`;
  return {
    find: async (id) => {
      const { stored } = db.prepare(`SELECT stored FROM ${table} WHERE id = ?`).get(id) as { stored: string };
      return JSON.parse(stored) as PlantedRow;
    },
    put: async (row) => {
      const { id, projectId, createdAt, sortId, deleted, position } = row;
      db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
      db.prepare(add).run(id, projectId, createdAt, sortId, deleted ? 1 : 0, position, JSON.stringify(row));
    },
    remove: async (id) => void db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id),
    close: async () => db.close(),
  };
}

async function onMongoDb({ MONGODB_URL = '', ENGINE_PREFIX = '' }: Variables, collection: string): Promise<PlantedRows> {
  const { MongoClient } = await import('mongodb');
  const client = await new MongoClient(MONGODB_URL).connect();
  const names = (await client.db().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const registry = names.find((name) => name.startsWith(ENGINE_PREFIX) && name.endsWith('read-models')) ?? '';
  const entries = client.db().collection<{ _id: string; generation: string }>(registry);
  // One of each version.
  const entry = await entries.findOne({ _id: new RegExp(`^${collection}@`) as unknown as string });
  const name = `${registry.slice(0, -'read-models'.length)}${entry?._id}_${entry?.generation}`;
  const rows = client.db().collection<Omit<PlantedRow, 'id' | 'row'> & { _id: string; row: string }>(name);
  return {
    find: async (id) => {
      const { _id, row, projectId, createdAt, sortId, position, deleted } = (await rows.findOne({ _id: id }))!;
      return { id, projectId, createdAt, sortId, position, deleted, row: JSON.parse(row) as PlantedRow['row'] };
    },
    put: async ({ id, row, ...rest }) => {
      const changed = { ...rest, row: JSON.stringify(row) };
      await rows.updateOne(
        { _id: id },
        { $set: changed, $unset: { text: '' }, $setOnInsert: { f: {} } as object },
        { upsert: true },
      );
    },
    remove: async (id) => void (await rows.deleteOne({ _id: id })),
    close: () => client.close(),
  };
}
