import type { Clock } from '@ports/clock.port';
import { type Position, START } from '@ports/event-store.port';
import type { CollectionSchema, Rebuild, StoredRow } from '@ports/read-models.port';
import { type CollectionRegistry, fieldsText, type RebuildEntry } from './collection-registry.js';
import type { GenerationRows } from './generation-rows.js';
import { documentsOfBoth } from './row-documents.js';

const SEEN_EVERY_MS = 3_000;
/** A process not seen for this long is dead, and its rebuild may not replace the live rows. */
const DEAD_AFTER_MS = 15_000;

export function isAlive({ seenAt }: RebuildEntry, now: number): boolean {
  return seenAt > now - DEAD_AFTER_MS;
}

export interface RebuildContext {
  readonly registry: CollectionRegistry;
  readonly pace: Clock;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called once when the rebuild has ended, even in failure. */
  readonly ended: () => void;
}

/** A generation of rows in the making. Its process renews `seenAt` regularly. */
export class MongodbRebuild implements Rebuild {
  private hasEnded = false;
  private written: Position = START;
  private stopTelling = () => {};

  private constructor(
    private readonly schema: CollectionSchema,
    private readonly rows: GenerationRows,
    private readonly context: RebuildContext,
  ) {}

  /** Replaces an unfinished one. Null if the collection no longer has this version. */
  static async begin(schema: CollectionSchema, rows: GenerationRows, context: RebuildContext): Promise<MongodbRebuild | null> {
    await rows.create();
    const { generation } = rows;
    const rebuild: RebuildEntry = { generation, checkpoint: START, seenAt: context.pace.now() };
    const isOurs = { version: schema.version, fields: fieldsText(schema) };
    if (!(await context.registry.change(schema.name, isOurs, { $set: { rebuild } }))) return null;
    const begun = new MongodbRebuild(schema, rows, context);
    begun.tellAgain();
    return begun;
  }

  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    return this.rows.own.getMany(ids);
  }

  async getShared(ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    if (!this.rows.shared) throw new TypeError(`${this.schema.name} has no shared collection`);
    return this.rows.shared.getMany(ids);
  }

  async apply(rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[] = []): Promise<void> {
    this.check();
    await this.rows.write(documentsOfBoth(this.schema, rows, shared));
    await this.change({ $max: { 'rebuild.checkpoint': checkpoint }, $set: { 'rebuild.seenAt': this.context.pace.now() } });
    if (checkpoint > this.written) this.written = checkpoint;
  }

  /** The indexes exist from the beginning. */
  async prepare(): Promise<void> {
    this.check();
  }

  async switchOver(): Promise<void> {
    this.check();
    const retired = { generation: '$generation', at: { $literal: this.context.pace.now() } };
    const live = { generation: '$rebuild.generation', checkpoint: '$rebuild.checkpoint' };
    const switched = { ...live, rebuild: null, retired: { $concatArrays: ['$retired', [retired]] } };
    await this.context.alone(async () => {
      if (!(await this.rows.isMarked())) throw new Error(`the rebuilt rows of ${this.schema.name} were lost`);
      await this.change([{ $set: switched }]);
    });
    this.end();
  }

  async abandon(): Promise<void> {
    if (this.hasEnded) return;
    this.end();
    const { generation } = this.rows;
    const { registry } = this.context;
    const isOurs = { 'rebuild.generation': generation };
    if (await registry.change(this.schema.name, isOurs, { $set: { rebuild: null } })) await this.rows.drop();
  }

  private async change(update: object | object[]): Promise<void> {
    const { registry, pace } = this.context;
    const isAliveStill = { 'rebuild.seenAt': { $gt: pace.now() - DEAD_AFTER_MS } };
    // A crash or rollback of the server may lose acknowledged writes.
    const isWhole = { 'rebuild.checkpoint': { $gte: this.written } };
    const isOurs = { 'rebuild.generation': this.rows.generation, ...isAliveStill, ...isWhole };
    if (!(await registry.change(this.schema.name, isOurs, update))) throw this.superseded();
  }

  private tellAgain(): void {
    this.stopTelling = this.context.pace.after(SEEN_EVERY_MS, () => {
      // If the store is away or the rebuild was dropped, the next call reports it.
      const told = this.change({ $set: { 'rebuild.seenAt': this.context.pace.now() } }).catch(() => undefined);
      void told.then(() => this.hasEnded || this.tellAgain());
    });
  }

  private end(): void {
    this.hasEnded = true;
    this.stopTelling();
    this.context.ended();
  }

  private check(): void {
    if (this.hasEnded) throw this.superseded();
  }

  private superseded(): Error {
    return new Error(`this rebuild of ${this.schema.name} has ended or was dropped for a newer one`);
  }
}
