import type { Clock } from '@ports/clock.port';
import { type Creation, type ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { type Collection, UUID } from 'mongodb';
import { READ, type StoreClient } from './store-client.js';
import { upserting } from './upserting.js';
import { ensureIndexes } from './ensure-indexes.js';

interface RecordDocument {
  readonly _id: string;
  readonly value: string;
  readonly version: string;
  /** Compared with the clock of the asking process. */
  readonly expiresAt: number;
  /** The same instant for the server's TTL index. */
  readonly collectAt: Date;
}

/** The server's clock may be ahead: it removes a record only this much later. */
const COLLECTED_AFTER_SECONDS = 3_600;
const KEPT = { _id: 0, value: 1, version: 1, expiresAt: 1 } as const;

/** One document per record. Expired ones count as absent, whenever the server removes them. */
export class MongodbExpiringRecords extends ExpiringRecords {
  private readonly records: Collection<RecordDocument>;

  constructor(
    private readonly client: StoreClient,
    private readonly clock: Clock,
  ) {
    super();
    this.records = recordsOf(client);
  }

  async create(key: string, value: string, expiresAt: number): Promise<Creation> {
    const document: RecordDocument = { _id: key, ...written(value, expiresAt) };
    const isHeld = { $gt: ['$expiresAt', this.clock.now()] };
    const update = [{ $replaceWith: { $cond: [isHeld, '$$ROOT', { $literal: document }] } }];
    const options = { upsert: true, returnDocument: 'after', projection: KEPT } as const;
    const record = await this.client.write((deadline) =>
      upserting(() => this.records.findOneAndUpdate({ _id: { $eq: key } }, update, { ...options, ...deadline })),
    );
    if (!record) throw new Error('an upsert gave no document');
    return { created: record.version === document.version, record: toRecord(record) };
  }

  async get(key: string): Promise<ExpiringRecord | null> {
    const living = { _id: { $eq: key }, expiresAt: { $gt: this.clock.now() } };
    const record = await this.client.ask((deadline) => this.records.findOne(living, { projection: KEPT, ...READ, ...deadline }));
    return record && toRecord(record);
  }

  async replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null> {
    const update = { $set: written(value, expiresAt) };
    const options = { returnDocument: 'after', projection: KEPT } as const;
    const record = await this.client.write((deadline) =>
      this.records.findOneAndUpdate(this.of(key, version), update, { ...options, ...deadline }),
    );
    return record && toRecord(record);
  }

  async remove(key: string, version: string): Promise<boolean> {
    const { deletedCount } = await this.client.write((deadline) => this.records.deleteOne(this.of(key, version), deadline));
    return deletedCount === 1;
  }

  private of(key: string, version: string) {
    return { _id: { $eq: key }, version: { $eq: version }, expiresAt: { $gt: this.clock.now() } };
  }
}

export async function prepareRecords(client: StoreClient): Promise<void> {
  const index = { name: 'collect', key: { collectAt: 1 }, expireAfterSeconds: COLLECTED_AFTER_SECONDS } as const;
  await client.ask((deadline) => ensureIndexes(recordsOf(client), [index], deadline));
}

const recordsOf = (client: StoreClient) => client.collection<RecordDocument>('records');

function written(value: string, expiresAt: number): Omit<RecordDocument, '_id'> {
  return { value, version: new UUID().toHexString(), expiresAt, collectAt: new Date(expiresAt) };
}

function toRecord({ value, version, expiresAt }: ExpiringRecord): ExpiringRecord {
  return { value, version, expiresAt };
}
