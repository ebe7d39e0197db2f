import type { CollectionSchema } from '@ports/read-models.port';
import { CollectionRows } from './collection-rows.js';
import type { RowDocuments } from './row-documents.js';
import type { StoreClient } from './store-client.js';

/** The rows of one generation, including its shared collection. */
export class GenerationRows {
  readonly own: CollectionRows;
  readonly shared: CollectionRows | null;

  constructor(
    client: StoreClient,
    { name, shared, ...schema }: CollectionSchema,
    readonly generation: string,
  ) {
    this.own = new CollectionRows(client, { name, ...schema }, generation);
    this.shared = shared ? new CollectionRows(client, shared, generation) : null;
  }

  create(): Promise<void> {
    return this.each((rows) => rows.create());
  }

  ensureIndexes(): Promise<void> {
    return this.each((rows) => rows.ensureIndexes());
  }

  hasIndexes(): Promise<boolean> {
    return this.all((rows) => rows.hasIndexes());
  }

  mark(): Promise<void> {
    return this.each((rows) => rows.mark());
  }

  isMarked(): Promise<boolean> {
    return this.all((rows) => rows.isMarked());
  }

  drop(): Promise<void> {
    return this.each((rows) => rows.drop());
  }

  async write({ own, shared }: RowDocuments): Promise<void> {
    await Promise.all([this.own.write(own), this.shared?.write(shared)]);
  }

  private get parts(): readonly CollectionRows[] {
    return this.shared ? [this.own, this.shared] : [this.own];
  }

  private async each(work: (rows: CollectionRows) => Promise<void>): Promise<void> {
    await Promise.all(this.parts.map(work));
  }

  private async all(test: (rows: CollectionRows) => Promise<boolean>): Promise<boolean> {
    return (await Promise.all(this.parts.map(test))).every(Boolean);
  }
}
