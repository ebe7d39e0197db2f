import { KeyedQueue } from '@kit/keyed-queue';
import { Clock } from '@ports/clock.port';
import { type Position, START, StoreUnavailable } from '@ports/event-store.port';
import {
  type CollectionSchema,
  type DefineOptions,
  type DueKey,
  type ListedRow,
  type ListQuery,
  type Look,
  type LookQuery,
  type PageQuery,
  ReadModels,
  type Rebuild,
  type ScanQuery,
  type SchemaStanding,
  type StoredCollection,
  type StoredRow,
} from '@ports/read-models.port';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reading } from '../database.js';
import type { DefineAnswer, SchemaAnswer } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';
import { Checkpoints } from './checkpoints.js';
import { checkNames, signatureOf } from './collection-columns.js';
import { type GenerationRows, rowsOfGeneration } from './generation-rows.js';
import { EmbeddedRebuild } from './rebuild.embedded.js';
import { storedCollections } from './stored-collections.js';
import type { LongWalk, StoredRows } from './stored-rows.js';
import { valuesOfBoth } from './to-values.js';

/** As many as one burst of requests. */
const MAX_WALKS_WAITING = 200;

interface Collection {
  readonly schema: CollectionSchema;
  generation: number;
  rows: GenerationRows;
  readonly replaced: Position;
  writing: number;
  /** The newest rebuild until it ends: a symbol while requested from the writer, then its generation. */
  rebuilding: symbol | number | null;
}

export interface RowNotices {
  readonly defined: [schema: CollectionSchema, rows: DefineAnswer];
  readonly applied: [collection: string, generation: number, checkpoint: Position];
  readonly rebuilding: [collection: string, generation: number];
  /** The checkpoint is null if the rebuild was abandoned, whether or not the writer recorded it. */
  readonly rebuilt: [collection: string, generation: number, checkpoint: Position | null];
}

export class EmbeddedReadModels extends ReadModels {
  private readonly expected = new Map<string, CollectionSchema>();
  private readonly collections = new Map<string, Collection>();
  private readonly checkpoints: Checkpoints;
  /** Long walks run one at a time per project and collection, to leave time for other requests. */
  private readonly walks = new KeyedQueue();
  private sweeping = false;
  private closed = false;

  constructor(
    private readonly queue: WriteQueue,
    private readonly db: Reading,
    clock: Clock,
    leftovers: boolean,
    private readonly notices = new EventEmitter<RowNotices>(),
  ) {
    super();
    this.checkpoints = new Checkpoints(clock);
    notices.on('defined', (schema, rows) => this.noteDefined(schema, rows));
    notices.on('applied', (name, generation, checkpoint) => this.noteApplied(name, generation, checkpoint));
    notices.on('rebuilding', (name, generation) => this.noteRebuilding(name, generation));
    notices.on('rebuilt', (name, generation, checkpoint) => this.noteRebuilt(name, generation, checkpoint));
    if (leftovers) void this.sweep();
  }

  async expect(schema: CollectionSchema): Promise<SchemaStanding> {
    this.read(schema);
    const answer = await this.queue.ask<SchemaAnswer>({ kind: 'compare', schema });
    if (answer.standing === 'same') this.noteDefined(schema, answer.rows);
    else this.collections.delete(schema.name);
    return answer.standing;
  }

  async define(schema: CollectionSchema, { log }: DefineOptions = {}): Promise<void> {
    this.read(schema);
    const compared = await this.compared(schema);
    const isAhead = compared.standing === 'same' && log !== undefined && !(await log.holds(compared.checkpoint));
    if (compared.standing === 'same' && !isAhead) return;
    const head = (await log?.head()) ?? START;
    this.notices.emit('defined', schema, await this.queue.ask<DefineAnswer>({ kind: 'define', schema, head, isAhead }));
    void this.sweep();
  }

  async apply(name: string, rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[] = []): Promise<void> {
    const collection = this.collection(name);
    const { generation, schema } = collection;
    const values = valuesOfBoth(schema, rows, shared);
    const request = { kind: 'apply', collection: name, generation, ...values, checkpoint } as const;
    if (rows.length + shared.length === 0 && collection.writing === 0) {
      this.queue.postpone(`checkpoint ${name}`, request);
    } else {
      collection.writing += 1;
      const current = await this.queue.ask<boolean>(request).finally(() => (collection.writing -= 1));
      if (!current) throw new Error(`the rows of ${name} were replaced meanwhile`);
    }
    this.notices.emit('applied', name, generation, checkpoint);
  }

  async getMany(name: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    return this.rows(name).getMany(ids);
  }

  /** A caller that reads page after page yields the event loop between pages. */
  async page(name: string, query: PageQuery): Promise<readonly StoredRow[]> {
    if (query.after) await nextTurn();
    return this.find(name, query, (rows) => rows.page(query));
  }

  async list(name: string, query: ListQuery): Promise<readonly ListedRow[]> {
    return this.find(name, query, (rows) => rows.list(query));
  }

  async look(name: string, query: LookQuery): Promise<Look> {
    return this.find(name, query, (rows) => () => rows.look(query));
  }

  async due(name: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    if (after) await nextTurn();
    return this.rows(name).due(field, upTo, limit, after);
  }

  async scan(name: string, query: ScanQuery): Promise<readonly StoredRow[]> {
    if (query.after !== undefined) await nextTurn();
    return this.rows(name).scan(query);
  }

  async checkpoint(name: string): Promise<Position> {
    this.collection(name);
    return this.checkpoints.checkpointOf(name);
  }

  async reached(name: string, position: Position, withinMs: number): Promise<boolean> {
    const { replaced } = this.collection(name);
    return this.checkpoints.reached(name, position > replaced ? position : replaced, withinMs);
  }

  async isRestored(name: string): Promise<boolean> {
    const { replaced } = this.collection(name);
    return this.checkpoints.checkpointOf(name) >= replaced;
  }

  /** No other process reads the rows, and those of other versions have been replaced. */
  noteUse = () => Promise.resolve();
  dropUnused = () => Promise.resolve([]);

  /** A checkpoint without rows is stored a little later than it is known. */
  async stored(): Promise<readonly StoredCollection[]> {
    return storedCollections(this.db).map((each) => {
      const { schema, replaced = START } = this.collections.get(each.name) ?? {};
      const checkpoint = this.checkpoints.checkpointOf(each.name);
      return schema?.version === each.version ? { ...each, checkpoint, isRestored: checkpoint >= replaced } : each;
    });
  }

  async rebuild(name: string): Promise<Rebuild> {
    const collection = this.collection(name);
    const asked = (collection.rebuilding = Symbol(name));
    const request = { kind: 'rebuild', collection: name } as const;
    const { generation } = await this.queue.ask<DefineAnswer>(request).catch((error: unknown) => {
      if (collection.rebuilding === asked) collection.rebuilding = null;
      throw error;
    });
    this.notices.emit('rebuilding', name, generation);
    void this.sweep();
    const rows = rowsOfGeneration(this.db, collection.schema, generation);
    return new EmbeddedRebuild(this.queue, collection.schema, generation, rows, (checkpoint) => {
      this.notices.emit('rebuilt', name, generation, checkpoint);
      void this.sweep();
    });
  }

  async isRebuilding(name: string): Promise<boolean> {
    return this.collection(name).rebuilding !== null;
  }

  close(): void {
    this.closed = true;
    this.checkpoints.close();
  }

  /** Compares the stored schema. Asks the writer only if this process does not know it. */
  private async compared(schema: CollectionSchema): Promise<{ standing: SchemaStanding; checkpoint: Position }> {
    const { name } = schema;
    const known = this.collections.get(name);
    const isKnown = known !== undefined && signatureOf(known.schema) === signatureOf(schema);
    const standing = isKnown ? 'same' : await this.expect(schema);
    return { standing, checkpoint: this.checkpoints.checkpointOf(name) };
  }

  private read(schema: CollectionSchema): void {
    checkNames(schema);
    this.expected.set(schema.name, schema);
  }

  /** Rows of the earlier schema are gone; a schema not expected here cannot be read. */
  private noteDefined(schema: CollectionSchema, { generation, checkpoint, replaced }: DefineAnswer): void {
    const { name } = schema;
    if (this.collections.get(name)?.generation === generation) return;
    this.collections.delete(name);
    const expected = this.expected.get(name);
    if (!expected || signatureOf(expected) !== signatureOf(schema)) return;
    const rows = rowsOfGeneration(this.db, schema, generation);
    this.collections.set(name, { schema, generation, rows, replaced, writing: 0, rebuilding: null });
    this.checkpoints.restart(name, checkpoint);
  }

  private noteApplied(name: string, generation: number, checkpoint: Position): void {
    if (this.collections.get(name)?.generation === generation) this.checkpoints.advance(name, checkpoint);
  }

  private noteRebuilding(name: string, generation: number): void {
    const collection = this.collections.get(name);
    if (collection) collection.rebuilding = generation;
  }

  private noteRebuilt(name: string, generation: number, checkpoint: Position | null): void {
    const collection = this.collections.get(name);
    if (!collection) return;
    if (collection.rebuilding === generation) collection.rebuilding = null;
    if (checkpoint === null) return;
    collection.generation = generation;
    collection.rows = rowsOfGeneration(this.db, collection.schema, generation);
    this.checkpoints.restart(name, checkpoint);
  }

  /** Repeats a walk whose table was replaced, as at the end of a rebuild. */
  private async find<Found extends object>(
    name: string,
    { projectId }: Pick<PageQuery, 'projectId'>,
    from: (rows: StoredRows) => Found | LongWalk<Found>,
  ): Promise<Found> {
    for (;;) {
      const rows = this.rows(name);
      const found = from(rows);
      if (typeof found !== 'function') return found;
      const isCurrent = () => this.knownRows(name) === rows;
      try {
        const walked = await this.walk(`${name} ${projectId}`, found);
        if (isCurrent()) return walked;
      } catch (error) {
        if (isCurrent()) throw error;
      }
    }
  }

  private walk<Found>(key: string, walk: () => Promise<Found>): Promise<Found> {
    if (this.walks.waiting(key) >= MAX_WALKS_WAITING)
      throw new StoreUnavailable('too many long lists of this project are being read');
    return this.walks.run(key, walk);
  }

  private rows(name: string): StoredRows {
    const rows = this.knownRows(name);
    if (!rows) throw notDefined(name);
    return rows;
  }

  private knownRows(name: string): StoredRows | undefined {
    const own = this.collections.get(name);
    if (own) return own.rows.own;
    for (const { schema, rows } of this.collections.values()) if (rows.shared && schema.shared?.name === name) return rows.shared;
    return undefined;
  }

  private collection(name: string): Collection {
    const collection = this.collections.get(name);
    if (!collection) throw notDefined(name);
    return collection;
  }

  /** Drops leftovers in small steps, each queued behind other writes. */
  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      while (!this.closed && (await this.queue.ask<boolean>({ kind: 'sweep' })));
    } catch {
      // The next start sweeps the rest.
    } finally {
      this.sweeping = false;
    }
  }
}

function notDefined(name: string): StoreUnavailable {
  return new StoreUnavailable(`collection ${name} is not defined yet, or by another schema`);
}
