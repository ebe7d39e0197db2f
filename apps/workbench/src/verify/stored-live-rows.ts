import type { Projection } from '@application/read-models/projection';
import type { ReadModels, StoredRow } from '@ports/read-models.port';
import { type LivePage, type LiveRows, otherVersion } from './live-rows.js';

const ROWS_AT_ONCE = 500;

/** Straight from where they are stored. */
export class StoredLiveRows implements LiveRows {
  constructor(private readonly readModels: ReadModels) {}

  async check({ schema }: Projection): Promise<void> {
    if ((await this.readModels.expect(schema)) !== 'same') throw otherVersion(schema.name);
  }

  async page(projection: string, after: string | undefined): Promise<LivePage> {
    const checkpoint = await this.readModels.checkpoint(projection);
    const query = { limit: ROWS_AT_ONCE, ...(after !== undefined && { after }) };
    return { checkpoint, rows: await this.readModels.scan(projection, query) };
  }

  async some(projection: string, ids: readonly string[]): Promise<LivePage> {
    const checkpoint = await this.readModels.checkpoint(projection);
    const rows = await this.readModels.getMany(projection, ids);
    return { checkpoint, rows: rows.filter((row): row is StoredRow => row !== null) };
  }
}
