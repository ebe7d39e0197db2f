import { KeyedQueue } from '@kit/keyed-queue';
import type { Clock } from '@ports/clock.port';
import { type Position, START, StoreUnavailable } from '@ports/event-store.port';
import {
  type CollectionSchema,
  type DefineOptions,
  type DueKey,
  type ListedRow,
  type ListQuery,
  type PageQuery,
  ReadModels,
  type Rebuild,
  type SchemaStanding,
  type StoredRow,
} from '@ports/read-models.port';
import { CheckpointWaiter } from './checkpoint-waiter.js';
import { CollectionRegistry, type RegistryEntry } from './collection-registry.js';
import { CollectionState, isOf } from './collection-state.js';
import type { CollectionRows } from './collection-rows.js';
import { GenerationRows } from './generation-rows.js';
import { dropLeftoverRows, READABLE_FOR_MS } from './leftover-rows.js';
import { isAlive, MongodbRebuild } from './rebuild.mongodb.js';
import { documentsOfBoth, fieldsOf } from './row-documents.js';
import { newGeneration, newGenerationId } from './new-generation.js';
import { isKept, isUsable, isWhole } from './is-usable.js';
import type { StoreClient } from './store-client.js';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** Read models as collections of documents, one collection for each generation of rows. */
export class MongodbReadModels extends ReadModels {
  private readonly registry: CollectionRegistry;
  private readonly waiter: CheckpointWaiter;
  private readonly collections = new Map<string, CollectionState>();
  /** What is applied to a collection goes in the order of the calls. */
  private readonly applying = new KeyedQueue();
  /** Generations of rebuilds that have ended here, whether or not the store took note of it. */
  private readonly ended = new Set<string>();

  /** `pace` is what looks at the store again and again; `clock` ends the waits of `reached`. */
  constructor(
    private readonly client: StoreClient,
    clock: Clock,
    private readonly pace: Clock,
  ) {
    super();
    this.registry = new CollectionRegistry(client);
    this.waiter = new CheckpointWaiter(this.registry, clock, pace);
  }

  async expect(schema: CollectionSchema): Promise<SchemaStanding> {
    this.readBy(schema);
    return standingOf(await this.registry.entry(schema.name), schema);
  }

  async define(schema: CollectionSchema, { overNewer = false, log }: DefineOptions = {}): Promise<void> {
    this.readBy(schema);
    const collection = this.defined(schema.name);
    for (;;) {
      const entry = await this.registry.entry(schema.name);
      const standing = standingOf(entry, schema);
      if (entry && standing === 'same') {
        if (await isUsable(this.registry, schema, entry, collection.rowsOf(entry.generation), log)) {
          if (collection.goOnFrom(entry)) void this.sweep(schema.name);
          return;
        }
      }
      if (standing === 'newer' && !overNewer) throw new StoreUnavailable(`the rows of ${schema.name} are of a newer version`);
      const beginning = { before: entry, log, now: this.pace.now() };
      if (await newGeneration(this.client, this.registry, schema, beginning)) this.sweepLater(schema.name);
    }
  }

  async apply(name: string, rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[] = []): Promise<void> {
    const collection = this.defined(name);
    const documents = documentsOfBoth(collection.schema, rows, shared);
    const seen = this.lastSeen(name);
    // It is looked at only when the turn has come.
    seen.catch(() => undefined);
    await this.applying.run(name, async () => {
      const { generation, version, fields } = await seen;
      await collection.rowsOf(generation).write(documents);
      const asWritten = { generation, version, fields, ...collection.notBefore(generation) };
      if (!(await this.registry.change(name, asWritten, { $max: { checkpoint } })))
        throw new Error(`the rows of ${name} were replaced or lost meanwhile`);
      collection.noteWritten(generation, checkpoint);
    });
  }

  getMany(name: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    return this.read(name, (rows) => rows.getMany(ids));
  }

  page(name: string, query: PageQuery): Promise<readonly StoredRow[]> {
    return this.read(name, (rows) => rows.page(query));
  }

  list(name: string, query: ListQuery): Promise<readonly ListedRow[]> {
    return this.read(name, (rows) => rows.list(query));
  }

  due(name: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    return this.read(name, (rows) => rows.due(field, upTo, limit, after));
  }

  async checkpoint(name: string): Promise<Position> {
    const collection = this.defined(name);
    if (collection.isDefinedHere && !(await this.registry.entry(name))) return START;
    const entry = await this.entry(name);
    return (await isWhole(entry, collection)) ? entry.checkpoint : START;
  }

  async reached(name: string, position: Position, withinMs: number): Promise<boolean> {
    const { schema } = this.defined(name);
    const isThere = (entry: RegistryEntry) =>
      isOf(entry, schema) && entry.checkpoint >= position && entry.checkpoint >= entry.replaced;
    if (withinMs <= 0) return isThere(await this.entry(name));
    return this.waiter.reached(name, isThere, withinMs, () => this.entry(name));
  }

  async isRestored(name: string): Promise<boolean> {
    const entry = await this.entry(name);
    return entry.checkpoint >= entry.replaced && isKept(entry, this.defined(name));
  }

  async rebuild(name: string): Promise<Rebuild> {
    const collection = this.defined(name);
    collection.beginning++;
    try {
      const rows = new GenerationRows(this.client, collection.schema, newGenerationId());
      const rebuild = await MongodbRebuild.begin(collection.schema, rows, {
        registry: this.registry,
        pace: this.pace,
        alone: (work) => this.applying.run(name, work),
        ended: () => {
          this.ended.add(rows.generation);
          this.sweepLater(name);
        },
      });
      if (rebuild) return rebuild;
      throw new StoreUnavailable(`the rows of ${name} are of another version`);
    } finally {
      collection.beginning--;
    }
  }

  async isRebuilding(name: string): Promise<boolean> {
    if (this.defined(name).beginning > 0) return true;
    const { rebuild } = await this.entry(name);
    return rebuild !== null && isAlive(rebuild, this.pace.now()) && !this.ended.has(rebuild.generation);
  }

  /** Ends every wait. */
  close(): void {
    this.waiter.close();
  }

  /** Reads the live rows: of a generation that was live after the call. */
  private async read<T>(name: string, from: (rows: CollectionRows) => Promise<T>): Promise<T> {
    const owner = this.ownerOf(name);
    for (;;) {
      const { generation } = await this.lastSeen(owner);
      const { own, shared } = this.defined(owner).rowsOf(generation);
      const reading = from(owner !== name && shared ? shared : own);
      // What fails may be rows that were replaced long ago.
      reading.catch(() => undefined);
      const live = await this.entry(owner);
      if (live.generation === generation) return reading;
    }
  }

  /** The collection that this one is, or that it is the shared one of. */
  private ownerOf(name: string): string {
    if (this.collections.has(name)) return name;
    const owner = [...this.collections.values()].find(({ schema }) => schema.shared?.name === name);
    return owner?.schema.name ?? name;
  }

  private readBy(schema: CollectionSchema): void {
    const { name, shared } = schema;
    const names = [name, ...fieldsOf(schema), ...(shared ? [shared.name, ...fieldsOf(shared)] : [])];
    const bad = names.find((each) => !NAME.test(each));
    if (bad !== undefined) throw new TypeError(`"${bad}" cannot name a collection or a field`);
    const known = this.collections.get(name);
    if (known) known.readBy(schema);
    else this.collections.set(name, new CollectionState(this.client, schema));
  }

  /** What was last seen of a collection: with other rows than that, the store refuses what is applied. */
  private async lastSeen(name: string): Promise<RegistryEntry> {
    const known = this.registry.known(name);
    return known && isOf(known, this.defined(name).schema) ? known : this.entry(name);
  }

  /** What is stored of a collection, read after the call. */
  private async entry(name: string): Promise<RegistryEntry> {
    const { schema } = this.defined(name);
    const entry = await this.registry.entry(name);
    if (!entry) throw new StoreUnavailable(`collection ${name} is not defined any more`);
    if (!isOf(entry, schema)) throw new StoreUnavailable(`the rows of ${name} are of another version`);
    return entry;
  }

  private defined(name: string): CollectionState {
    const collection = this.collections.get(name);
    if (!collection) throw new StoreUnavailable(`collection ${name} is not defined yet`);
    return collection;
  }

  private sweepLater(name: string): void {
    this.pace.after(READABLE_FOR_MS + 1_000, () => void this.sweep(name));
  }

  /** What is not dropped now is dropped after a later change, or by the next process. */
  private async sweep(name: string): Promise<void> {
    await dropLeftoverRows(this.client, this.registry, this.defined(name).schema, this.pace).catch(() => undefined);
  }
}

function standingOf(entry: RegistryEntry | null, schema: CollectionSchema): SchemaStanding {
  if (!entry) return 'none';
  if (isOf(entry, schema)) return 'same';
  return entry.version > schema.version ? 'newer' : 'older';
}
