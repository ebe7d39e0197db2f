import type { Position } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import { fieldsText, type RegistryEntry } from './collection-registry.js';
import { GenerationRows } from './generation-rows.js';
import type { StoreClient } from './store-client.js';

export function isOf({ version, fields }: Pick<RegistryEntry, 'version' | 'fields'>, schema: CollectionSchema): boolean {
  return version === schema.version && fields === fieldsText(schema);
}

/** A collection as this process's program reads and writes it. */
export class CollectionState {
  /** Rebuilds that were asked for and are not entered yet. */
  beginning = 0;
  private rows: GenerationRows | null = null;
  /** How far the rows of one generation were when this process defined them, or as it has written since. */
  private written: Pick<RegistryEntry, 'generation' | 'checkpoint'> | null = null;

  constructor(
    private readonly client: StoreClient,
    private present: CollectionSchema,
  ) {}

  get schema(): CollectionSchema {
    return this.present;
  }

  get isDefinedHere(): boolean {
    return this.written !== null;
  }

  readBy(schema: CollectionSchema): void {
    if (isOf({ version: schema.version, fields: fieldsText(schema) }, this.present)) return;
    this.present = schema;
    this.rows = null;
    this.written = null;
  }

  rowsOf(generation: string): GenerationRows {
    if (this.rows?.generation !== generation) this.rows = new GenerationRows(this.client, this.present, generation);
    return this.rows;
  }

  /** Goes on from what is stored. Returns whether these rows are new here. */
  goOnFrom({ generation, checkpoint }: RegistryEntry): boolean {
    const isNew = this.written?.generation !== generation;
    this.written = { generation, checkpoint };
    return isNew;
  }

  /**
   * The condition that what this process has written is still there. A server that crashes or rolls back may lose what it had
   * acknowledged last: whoever goes on from what it remembers would leave a gap.
   */
  notBefore(generation: string) {
    return this.written?.generation === generation ? { checkpoint: { $gte: this.written.checkpoint } } : {};
  }

  noteWritten(generation: string, checkpoint: Position): void {
    const { written } = this;
    if (written?.generation !== generation || written.checkpoint < checkpoint) this.written = { generation, checkpoint };
  }
}
