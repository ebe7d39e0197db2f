import { KeyedQueue } from '@kit/keyed-queue';
import { Clock } from '@ports/clock.port';
import { type Position, StoreUnavailable } from '@ports/event-store.port';
import {
  type CollectionSchema,
  type DueKey,
  type ListedRow,
  type ListQuery,
  type PageQuery,
  ReadModels,
  type Rebuild,
  type StoredRow,
} from '@ports/read-models.port';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Checkpoints } from './checkpoints.js';
import { checkNames } from './collection-table.js';
import { EmbeddedRebuild } from './rebuild.embedded.js';
import { toValues } from './row-values.js';
import { StoredRows, type LongWalk } from './stored-rows.js';
import type { DefineAnswer } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';
import type { Database } from '../sqlite.js';

/** As many as a burst of requests brings at once: mostly a walk ends where it began. */
const MOST_WALKS_WAITING = 200;

interface Collection {
  readonly schema: CollectionSchema;
  generation: number;
  rows: StoredRows;
  readonly replaced: Position;
  /** Batches of rows under way. */
  writing: number;
  /** The newest rebuild, until it has ended. */
  rebuilding: symbol | null;
}

/** Read models as tables of the engine's one file. */
export class EmbeddedReadModels extends ReadModels {
  private readonly collections = new Map<string, Collection>();
  private readonly checkpoints: Checkpoints;
  /** Walks through any number of rows, one at a time per project and collection: many would leave others no time. */
  private readonly walks = new KeyedQueue();
  private sweeping = false;
  private closed = false;

  constructor(
    private readonly queue: WriteQueue,
    private readonly db: Database,
    clock: Clock,
    leftovers: boolean,
  ) {
    super();
    this.checkpoints = new Checkpoints(clock);
    if (leftovers) void this.sweep();
  }

  async define(schema: CollectionSchema): Promise<void> {
    checkNames(schema);
    const { generation, checkpoint, replaced } = await this.queue.ask<DefineAnswer>({ kind: 'define', schema });
    if (this.collections.get(schema.name)?.generation === generation) return;
    const rows = new StoredRows(this.db, schema, generation);
    this.collections.set(schema.name, { schema, generation, rows, replaced, writing: 0, rebuilding: null });
    this.checkpoints.restart(schema.name, checkpoint);
    void this.sweep();
  }

  async apply(name: string, rows: readonly StoredRow[], checkpoint: Position): Promise<void> {
    const collection = this.collection(name);
    const { generation, schema } = collection;
    const request = { kind: 'apply', collection: name, generation, rows: toValues(schema, rows), checkpoint } as const;
    if (rows.length === 0 && collection.writing === 0) {
      this.queue.postpone(`checkpoint ${name}`, request);
    } else {
      collection.writing += 1;
      const current = await this.queue.ask<boolean>(request).finally(() => (collection.writing -= 1));
      if (!current) throw new Error(`the rows of ${name} were replaced meanwhile`);
    }
    if (collection.generation === generation) this.checkpoints.advance(name, checkpoint);
  }

  async getMany(name: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    return this.collection(name).rows.getMany(ids);
  }

  /** Whoever reads page by page lets others in between. */
  async page(name: string, query: PageQuery): Promise<readonly StoredRow[]> {
    if (query.after) await nextTurn();
    return this.find(name, query, (rows) => rows.page(query));
  }

  async list(name: string, query: ListQuery): Promise<readonly ListedRow[]> {
    return this.find(name, query, (rows) => rows.list(query));
  }

  /** As `page`. */
  async due(name: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    if (after) await nextTurn();
    return this.collection(name).rows.due(field, upTo, limit, after);
  }

  async checkpoint(name: string): Promise<Position> {
    this.collection(name);
    return this.checkpoints.checkpointOf(name);
  }

  async reached(name: string, position: Position, withinMs: number): Promise<boolean> {
    this.collection(name);
    return this.checkpoints.reached(name, position, withinMs);
  }

  async isRestored(name: string): Promise<boolean> {
    const { replaced } = this.collection(name);
    return this.checkpoints.checkpointOf(name) >= replaced;
  }

  async rebuild(name: string): Promise<Rebuild> {
    const collection = this.collection(name);
    const own = (collection.rebuilding = Symbol(name));
    const over = (): void => {
      if (collection.rebuilding === own) collection.rebuilding = null;
    };
    const request = { kind: 'rebuild', collection: name } as const;
    const { generation } = await this.queue.ask<DefineAnswer>(request).catch((error: unknown) => {
      over();
      throw error;
    });
    void this.sweep();
    const rows = new StoredRows(this.db, collection.schema, generation);
    return new EmbeddedRebuild(this.queue, collection.schema, generation, rows, (checkpoint) => {
      over();
      if (checkpoint !== null) {
        Object.assign(collection, { generation, rows });
        this.checkpoints.restart(name, checkpoint);
      }
      void this.sweep();
    });
  }

  async isRebuilding(name: string): Promise<boolean> {
    return this.collection(name).rebuilding !== null;
  }

  /** Ends every wait. */
  close(): void {
    this.closed = true;
    this.checkpoints.close();
  }

  /** A walk that outlived its table, as a rebuild may end meanwhile, is gone again. */
  private async find<Item>(name: string, { projectId }: PageQuery, from: (rows: StoredRows) => Item[] | LongWalk<Item>) {
    for (;;) {
      const collection = this.collection(name);
      const { rows } = collection;
      const found = from(rows);
      if (typeof found !== 'function') return found;
      try {
        const walked = await this.walk(`${name} ${projectId}`, found);
        if (collection.rows === rows) return walked;
      } catch (error) {
        if (collection.rows === rows) throw error;
      }
    }
  }

  private walk<Found>(key: string, walk: () => Promise<Found>): Promise<Found> {
    if (this.walks.waiting(key) >= MOST_WALKS_WAITING)
      throw new StoreUnavailable('too many lists of this project are looked through');
    return this.walks.run(key, walk);
  }

  private collection(name: string): Collection {
    const collection = this.collections.get(name);
    if (!collection) throw new StoreUnavailable(`collection ${name} is not defined yet`);
    return collection;
  }

  /** Small steps, each behind whatever else is to be written. */
  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      while (!this.closed && (await this.queue.ask<boolean>({ kind: 'sweep' })));
    } catch {
      // What is left is swept after the next start.
    } finally {
      this.sweeping = false;
    }
  }
}
