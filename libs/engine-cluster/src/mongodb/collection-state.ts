import type { Position } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import { fieldsText, storedSchema, type RegistryEntry } from './collection-registry.js';
import { GenerationRows } from './generation-rows.js';
import type { StoreClient } from './store-client.js';

export function isOf({ version, fields }: Pick<RegistryEntry, 'version' | 'fields'>, schema: CollectionSchema): boolean {
  return version === schema.version && fields === fieldsText(schema);
}

export class CollectionState {
  /** Rebuilds requested but not yet entered. */
  beginning = 0;
  private rows: GenerationRows | null = null;
  /** The progress of the generation that this process last defined or wrote. */
  private written: Pick<RegistryEntry, 'generation' | 'checkpoint'> | null = null;
  private present: CollectionSchema;

  constructor(
    private readonly client: StoreClient,
    private expected: CollectionSchema,
  ) {
    this.present = storedSchema(expected);
  }

  /** By which readers know the shared collection. */
  get sharedName(): string | undefined {
    return this.expected.shared?.name;
  }

  /** With the names by which it is stored. */
  get schema(): CollectionSchema {
    return this.present;
  }

  get isDefinedHere(): boolean {
    return this.written !== null;
  }

  readBy(expected: CollectionSchema): void {
    const schema = storedSchema(expected);
    if (isOf({ version: schema.version, fields: fieldsText(schema) }, this.present)) return;
    this.expected = expected;
    this.present = schema;
    this.rows = null;
    this.written = null;
  }

  rowsOf(generation: string): GenerationRows {
    if (this.rows?.generation !== generation) this.rows = new GenerationRows(this.client, this.present, generation);
    return this.rows;
  }

  /** Continues from the stored state. Returns whether the rows are new here. */
  goOnFrom({ generation, checkpoint }: RegistryEntry): boolean {
    const isNew = this.written?.generation !== generation;
    this.written = { generation, checkpoint };
    return isNew;
  }

  /**
   * The condition that this process's writes are still there. A crash or rollback may lose acknowledged writes, and continuing from memory
   * would leave a gap.
   */
  notBefore(generation: string) {
    return this.written?.generation === generation ? { checkpoint: { $gte: this.written.checkpoint } } : {};
  }

  noteWritten(generation: string, checkpoint: Position): void {
    const { written } = this;
    if (written?.generation !== generation || written.checkpoint < checkpoint) this.written = { generation, checkpoint };
  }
}
