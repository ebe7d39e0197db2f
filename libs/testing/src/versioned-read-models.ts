import {
  type CollectionSchema,
  type DefineOptions,
  type DueKey,
  type ListQuery,
  type LookQuery,
  type PageQuery,
  ReadModels,
  type ScanQuery,
  type StoredCollection,
  type StoredRow,
} from '@ports/read-models.port';
import { type Position, StoreUnavailable } from '@ports/event-store.port';

/** When the use of the rows of a version was last noted. */
export type UsedAt = Map<string, number>;

/** Rows of each version beside those of others, as in a store that processes share, over one that keeps one version of a name. */
export class VersionedReadModels extends ReadModels {
  private readonly versions = new Map<string, number>();

  constructor(
    private readonly inner: ReadModels,
    private readonly now: () => number,
    private readonly usedAt: UsedAt,
  ) {
    super();
  }

  async expect(schema: CollectionSchema) {
    const standing = await this.inner.expect(this.versioned(schema));
    if (standing !== 'none') return standing;
    return (await this.stored()).some(({ name }) => name === schema.name) ? 'other' : 'none';
  }

  define(schema: CollectionSchema, options?: DefineOptions) {
    return this.inner.define(this.versioned(schema), options);
  }

  apply(name: string, rows: readonly StoredRow[], checkpoint: Position, shared?: readonly StoredRow[]) {
    return this.inner.apply(this.of(name), rows, checkpoint, shared);
  }

  getMany(name: string, ids: readonly string[]) {
    return this.inner.getMany(this.of(name), ids);
  }

  page(name: string, query: PageQuery) {
    return this.inner.page(this.of(name), query);
  }

  list(name: string, query: ListQuery) {
    return this.inner.list(this.of(name), query);
  }

  look(name: string, query: LookQuery) {
    return this.inner.look(this.of(name), query);
  }

  due(name: string, field: string, upTo: number, limit: number, after?: DueKey) {
    return this.inner.due(this.of(name), field, upTo, limit, after);
  }

  scan(name: string, query: ScanQuery) {
    return this.inner.scan(this.of(name), query);
  }

  async checkpoint(name: string) {
    return this.inner.checkpoint(this.of(name));
  }

  async reached(name: string, position: Position, withinMs: number) {
    return this.inner.reached(this.of(name), position, withinMs);
  }

  async isRestored(name: string) {
    return this.inner.isRestored(this.of(name));
  }

  async stored(): Promise<readonly StoredCollection[]> {
    return (await this.inner.stored()).map((each) => ({ ...each, name: each.name.replace(/-v\d+$/, '') }));
  }

  async noteUse() {
    for (const name of this.versions.keys()) this.usedAt.set(this.of(name), this.now());
  }

  /** Tells what would be dropped. */
  async dropUnused(before: number) {
    const others = (await this.stored()).filter(({ name, version }) => (this.versions.get(name) ?? version) !== version);
    return others.filter(({ name, version }) => (this.usedAt.get(`${name}-v${version}`) ?? 0) < before);
  }

  async rebuild(name: string) {
    return this.inner.rebuild(this.of(name));
  }

  async isRebuilding(name: string) {
    return this.inner.isRebuilding(this.of(name));
  }

  private versioned(schema: CollectionSchema): CollectionSchema {
    this.versions.set(schema.name, schema.version);
    return { ...schema, name: this.of(schema.name) };
  }

  private of(name: string): string {
    const version = this.versions.get(name);
    if (version === undefined) throw new StoreUnavailable(`collection ${name} is not defined yet`);
    return `${name}-v${version}`;
  }
}
