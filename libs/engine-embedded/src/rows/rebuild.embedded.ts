import type { Position } from '@ports/event-store.port';
import type { CollectionSchema, Rebuild, StoredRow } from '@ports/read-models.port';
import type { DefineAnswer } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';
import type { GenerationRows } from './generation-rows.js';
import { valuesOfBoth } from './to-values.js';

/** Building an index blocks the writer for 3 s per million rows; above this number it is built in advance. */
const ROWS_WITHOUT_INDEXES = 250_000;

export class EmbeddedRebuild implements Rebuild {
  private written = 0;
  private indexing: Promise<void> | null = null;
  private abandoned = false;

  constructor(
    private readonly queue: WriteQueue,
    private readonly schema: CollectionSchema,
    private readonly generation: number,
    private readonly rows: GenerationRows,
    /** Called with the checkpoint after the switch, with null after `abandon`, even a failed one. */
    private readonly ended: (checkpoint: Position | null) => void,
  ) {}

  async getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    return this.rows.own.getMany(ids);
  }

  async getShared(ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    if (!this.rows.shared) throw new TypeError(`${this.schema.name} has no shared collection`);
    return this.rows.shared.getMany(ids);
  }

  async apply(rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[] = []): Promise<void> {
    if (this.abandoned) throw this.superseded();
    const { name: collection } = this.schema;
    const { generation } = this;
    const values = valuesOfBoth(this.schema, rows, shared);
    const current = await this.queue.ask<boolean>({ kind: 'apply', collection, generation, ...values, checkpoint });
    if (!current) throw this.superseded();
    this.written += rows.length + shared.length;
    if (this.written > ROWS_WITHOUT_INDEXES) await this.prepare();
  }

  prepare(): Promise<void> {
    this.indexing ??= this.makeIndexes();
    return this.indexing;
  }

  async switchOver(): Promise<void> {
    if (this.abandoned) throw this.superseded();
    const target = { collection: this.schema.name, generation: this.generation } as const;
    await this.prepare();
    const switched = await this.queue.ask<DefineAnswer | false>({ kind: 'switch', ...target });
    if (switched === false) throw this.superseded();
    this.ended(switched.checkpoint);
  }

  async abandon(): Promise<void> {
    this.abandoned = true;
    try {
      await this.queue.ask({ kind: 'abandon', collection: this.schema.name, generation: this.generation });
    } finally {
      this.ended(null);
    }
  }

  private async makeIndexes(): Promise<void> {
    while (await this.queue.ask<boolean>({ kind: 'index', collection: this.schema.name, generation: this.generation }));
  }

  private superseded(): Error {
    return new Error(`this rebuild of ${this.schema.name} has ended or was dropped for a newer one`);
  }
}
