import { KeyedQueue } from '@kit/keyed-queue';
import type { Clock } from '@ports/clock.port';
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
import { CheckpointWaiter } from './checkpoint-waiter.js';
import { CollectionRegistry, nameOf, type RegistryEntry } from './collection-registry.js';
import { CollectionState, isOf } from './collection-state.js';
import { CollectionRows } from './collection-rows.js';
import { GenerationRows } from './generation-rows.js';
import { dropLeftoverRows, READABLE_FOR_MS } from './leftover-rows.js';
import { dropUnusedRows } from './unused-rows.js';
import { isAlive, MongodbRebuild } from './rebuild.mongodb.js';
import { documentsOfBoth, fieldsOf } from './row-documents.js';
import { newGeneration, newGenerationId } from './new-generation.js';
import { isKept, isUsable, isWhole } from './is-usable.js';
import type { StoreClient } from './store-client.js';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** Read models as documents, one collection per generation of rows. */
export class MongodbReadModels extends ReadModels {
  private readonly registry: CollectionRegistry;
  private readonly waiter: CheckpointWaiter;
  private readonly collections = new Map<string, CollectionState>();
  /** Writes to a collection run in the order of the calls. */
  private readonly applying = new KeyedQueue();
  /** Rebuilds that ended here, whether or not the store recorded it. */
  private readonly ended = new Set<string>();

  /** `pace` times the polling; `clock` times out `reached`. */
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
    const entries = await this.registry.refresh();
    const expected = this.defined(schema.name).schema;
    const own = entries.get(expected.name);
    if (own && isOf(own, expected)) return 'same';
    return [...entries.values()].some((entry) => nameOf(entry) === schema.name) ? 'other' : 'none';
  }

  async define(schema: CollectionSchema, { log }: DefineOptions = {}): Promise<void> {
    this.readBy(schema);
    const collection = this.defined(schema.name);
    const expected = collection.schema;
    for (;;) {
      const entry = await this.registry.entry(expected.name);
      if (entry && isOf(entry, expected)) {
        if (await isUsable(this.registry, expected, entry, collection.rowsOf(entry.generation), log)) {
          if (collection.goOnFrom(entry)) void this.sweep(schema.name);
          return;
        }
      }
      const beginning = { before: entry, log, now: this.pace.now() };
      if (await newGeneration(this.client, this.registry, expected, beginning)) this.sweepLater(schema.name);
    }
  }

  async apply(name: string, rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[] = []): Promise<void> {
    const collection = this.defined(name);
    const documents = documentsOfBoth(collection.schema, rows, shared);
    const seen = this.lastSeen(name);
    // Awaited only when its turn has come.
    seen.catch(() => undefined);
    await this.applying.run(name, async () => {
      const { generation, version, fields } = await seen;
      await collection.rowsOf(generation).write(documents);
      const asWritten = { generation, version, fields, ...collection.notBefore(generation) };
      if (!(await this.registry.change(collection.schema.name, asWritten, { $max: { checkpoint } })))
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

  look(name: string, query: LookQuery): Promise<Look> {
    return this.read(name, (rows) => rows.look(query));
  }

  due(name: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    return this.read(name, (rows) => rows.due(field, upTo, limit, after));
  }

  scan(name: string, query: ScanQuery): Promise<readonly StoredRow[]> {
    return this.read(name, (rows) => rows.scan(query));
  }

  async checkpoint(name: string): Promise<Position> {
    const collection = this.defined(name);
    if (collection.isDefinedHere && !(await this.registry.entry(collection.schema.name))) return START;
    const entry = await this.entry(name);
    return (await isWhole(entry, collection)) ? entry.checkpoint : START;
  }

  async reached(name: string, position: Position, withinMs: number): Promise<boolean> {
    const { schema } = this.defined(name);
    const isThere = (entry: RegistryEntry) =>
      isOf(entry, schema) && entry.checkpoint >= position && entry.checkpoint >= entry.replaced;
    if (withinMs <= 0) return isThere(await this.entry(name));
    return this.waiter.reached(schema.name, isThere, withinMs, () => this.entry(name));
  }

  async isRestored(name: string): Promise<boolean> {
    const entry = await this.entry(name);
    return entry.checkpoint >= entry.replaced && isKept(entry, this.defined(name));
  }

  async stored(): Promise<readonly StoredCollection[]> {
    const entries = [...(await this.registry.refresh()).values()];
    const stored = await Promise.all(
      entries.map(async (entry) => {
        const { _id: name, version, generation, checkpoint, replaced } = entry;
        const rows = await new CollectionRows(this.client, { name, filterFields: [], dueFields: [] }, generation).count();
        return { name: nameOf(entry), version, checkpoint, isRestored: checkpoint >= replaced, rows };
      }),
    );
    const byVersion = stored.toSorted((one, other) => one.version - other.version);
    return byVersion.toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  }

  async noteUse(): Promise<void> {
    const names = [...this.collections.values()].map(({ schema }) => schema.name);
    if (names.length > 0) await this.registry.noteUse(names, this.pace.now());
  }

  dropUnused(before: number): Promise<readonly Pick<StoredCollection, 'name' | 'version'>[]> {
    const expected = new Map([...this.collections].map(([name, { schema }]) => [name, schema.name]));
    return dropUnusedRows(this.client, this.registry, expected, { before, now: this.pace.now() });
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

  close(): void {
    this.waiter.close();
  }

  /** Reads the live rows, of a generation that was live after the call. */
  private async read<T>(name: string, from: (rows: CollectionRows) => Promise<T>): Promise<T> {
    const owner = this.ownerOf(name);
    for (;;) {
      const { generation } = await this.lastSeen(owner);
      const { own, shared } = this.defined(owner).rowsOf(generation);
      const reading = from(owner !== name && shared ? shared : own);
      // The failed rows may have been replaced long ago.
      reading.catch(() => undefined);
      const live = await this.entry(owner);
      if (live.generation === generation) return reading;
    }
  }

  /** Maps a shared collection to its main one. */
  private ownerOf(name: string): string {
    if (this.collections.has(name)) return name;
    const owner = [...this.collections].find(([, { sharedName }]) => sharedName === name);
    return owner?.[0] ?? name;
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

  /** As last seen: if the rows changed since, the store refuses the write. */
  private async lastSeen(name: string): Promise<RegistryEntry> {
    const { schema } = this.defined(name);
    const known = this.registry.known(schema.name);
    return known && isOf(known, schema) ? known : this.entry(name);
  }

  private async entry(name: string): Promise<RegistryEntry> {
    const { schema } = this.defined(name);
    const entry = await this.registry.entry(schema.name);
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
