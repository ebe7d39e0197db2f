import { START } from '@ports/event-store.port';
import type { CollectionSchema, RowsSchema } from '@ports/read-models.port';
import type { Database } from '../database.js';
import type {
  ApplyRequest,
  DefineAnswer,
  DefineRequest,
  RowRequest,
  RowValues,
  SchemaAnswer,
  SwitchRequest,
  WriteAnswer,
} from '../writer/requests.js';
import { createIndexes, createTable, partsOf, signatureOf, tableOf } from './collection-columns.js';
import { LeftoverTables } from './leftover-tables.js';
import { ReplacedRows } from './replaced-rows.js';
import { RowTable } from './row-table.js';

interface Collection {
  readonly schema: string;
  readonly generation: number;
  readonly checkpoint: string;
  readonly building: number | null;
}

interface RowTables {
  readonly own: RowTable;
  readonly shared: RowTable | null;
}

/** The database refused a row. `cause` says why; the disk may be at fault. */
export class RowNotTaken extends Error {
  constructor(override readonly cause: unknown) {
    super((cause as { message?: string } | null)?.message ?? String(cause));
    this.name = 'RowNotTaken';
  }
}

export class RowWrites {
  private readonly tables = new Map<string, RowTables>();
  private readonly leftovers: LeftoverTables;
  private readonly replaced: ReplacedRows;
  private readonly find;
  private readonly advance;
  private readonly advanceBuilding;

  constructor(private readonly db: Database) {
    this.leftovers = new LeftoverTables(db);
    this.replaced = new ReplacedRows(db);
    this.find = db.prepare('SELECT schema, generation, checkpoint, building FROM collections WHERE name = ?');
    this.advance = db.prepare('UPDATE collections SET checkpoint = max(checkpoint, ?) WHERE name = ? AND generation = ?');
    this.advanceBuilding = db.prepare(
      'UPDATE collections SET building_checkpoint = max(building_checkpoint, ?) WHERE name = ? AND building = ?',
    );
  }

  perform(request: RowRequest): WriteAnswer {
    switch (request.kind) {
      case 'define':
        return this.define(request);
      case 'compare':
        return this.compare(request.schema);
      case 'apply':
        return this.apply(request);
      case 'rebuild':
        return this.startRebuild(request.collection);
      case 'index':
        return this.index(request);
      case 'switch':
        return this.switchOver(request);
      case 'abandon':
        return this.abandon(request);
      case 'sweep':
        return this.leftovers.sweep();
    }
  }

  /** Call after a rollback: created tables are gone. */
  forget(): void {
    this.tables.clear();
  }

  /** Drops the rebuilds of a crashed process. Returns whether there is something to sweep. */
  dropUnfinished(): boolean {
    const names = this.db.prepare('SELECT name FROM collections WHERE building IS NOT NULL').all() as unknown as [string][];
    for (const [name] of names) this.dropBuilding(name);
    return this.leftovers.any;
  }

  private compare(schema: CollectionSchema): SchemaAnswer {
    const stored = this.collection(schema.name);
    if (!stored) return { standing: 'none' };
    if (stored.schema === signatureOf(schema)) return { standing: 'same', rows: this.answer(schema.name, stored) };
    return { standing: 'other' };
  }

  private define({ schema, head, isAhead = false }: DefineRequest): DefineAnswer {
    const compared = this.compare(schema);
    return compared.standing === 'same' && !isAhead ? compared.rows : this.replace(schema, head);
  }

  private replace(schema: CollectionSchema, head: string): DefineAnswer {
    const text = signatureOf(schema);
    const stored = this.collection(schema.name);
    if (stored) {
      this.dropBuilding(schema.name);
      this.leave(stored.schema, stored.generation);
    }
    this.replaced.note(schema.name, head);
    const generation = this.nextGeneration();
    this.make(schema, generation);
    for (const sql of indexesOf(schema, generation)) this.db.exec(sql);
    this.db
      .prepare('INSERT OR REPLACE INTO collections (name, schema, generation, checkpoint) VALUES (?, ?, ?, ?)')
      .run(schema.name, text, generation, START);
    return this.answer(schema.name, { generation, checkpoint: START });
  }

  private answer(name: string, { generation, checkpoint }: Pick<Collection, 'generation' | 'checkpoint'>): DefineAnswer {
    return { generation, checkpoint, replaced: this.replaced.checkpoint(name) };
  }

  private apply({ collection, generation, rows, shared, checkpoint }: ApplyRequest): boolean {
    const { schema, generation: live, building } = this.known(collection);
    if (generation !== live && generation !== building) return false;
    const tables = this.tablesOf(collection, generation, schema);
    for (const row of rows) put(tables.own, row);
    if (tables.shared) for (const row of shared) put(tables.shared, row);
    (generation === live ? this.advance : this.advanceBuilding).run(checkpoint, collection, generation);
    return true;
  }

  private startRebuild(name: string): DefineAnswer {
    const { schema } = this.known(name);
    this.dropBuilding(name);
    const generation = this.nextGeneration();
    this.make(JSON.parse(schema) as CollectionSchema, generation);
    this.db.prepare('UPDATE collections SET building = ?, building_checkpoint = ? WHERE name = ?').run(generation, START, name);
    return this.answer(name, { generation, checkpoint: START });
  }

  /** Builds one missing index of a rebuild. Returns whether one was missing. */
  private index({ collection, generation }: SwitchRequest): boolean {
    const { schema, building } = this.known(collection);
    if (building !== generation) return false;
    const made = this.db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'index'");
    const count = (): number => (made.get() as unknown as [number])[0];
    const before = count();
    for (const sql of indexesOf(JSON.parse(schema) as CollectionSchema, generation)) {
      this.db.exec(sql);
      if (count() > before) return true;
    }
    return false;
  }

  private switchOver({ collection, generation }: SwitchRequest): DefineAnswer | boolean {
    const { schema, building, generation: live } = this.known(collection);
    if (building !== generation) return false;
    this.leave(schema, live);
    this.db
      .prepare(
        `UPDATE collections SET generation = building, checkpoint = building_checkpoint, building = NULL,
         building_checkpoint = NULL WHERE name = ?`,
      )
      .run(collection);
    return this.answer(collection, this.known(collection));
  }

  private abandon({ collection, generation }: SwitchRequest): boolean {
    if (this.known(collection).building !== generation) return false;
    this.dropBuilding(collection);
    return true;
  }

  /** Never reused: the table of an older generation may still exist. */
  private nextGeneration(): number {
    const [generation] = this.db
      .prepare(
        `INSERT INTO meta (name, value) VALUES ('generation', 1)
         ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
      )
      .get() as unknown as [number];
    return generation;
  }

  private make(schema: CollectionSchema, generation: number): void {
    for (const part of partsOf(schema)) this.db.exec(createTable(part, tableOf(part.name, generation)));
  }

  private dropBuilding(name: string): void {
    const { schema = '', building = null } = this.collection(name) ?? {};
    if (building === null) return;
    this.leave(schema, building);
    this.db.prepare('UPDATE collections SET building = NULL, building_checkpoint = NULL WHERE name = ?').run(name);
  }

  private leave(schema: string, generation: number): void {
    for (const { name } of partsOf(JSON.parse(schema) as CollectionSchema)) {
      const table = tableOf(name, generation);
      this.tables.delete(table);
      this.leftovers.leave(table);
    }
  }

  private tablesOf(collection: string, generation: number, schema: string): RowTables {
    const name = tableOf(collection, generation);
    const known = this.tables.get(name);
    if (known) return known;
    const parsed = JSON.parse(schema) as CollectionSchema;
    const table = (part: RowsSchema) => new RowTable(this.db, part, tableOf(part.name, generation));
    const tables = { own: table(parsed), shared: parsed.shared ? table(parsed.shared) : null };
    this.tables.set(name, tables);
    return tables;
  }

  private known(name: string): Collection {
    const collection = this.collection(name);
    if (!collection) throw new Error(`collection ${name} is not defined`);
    return collection;
  }

  private collection(name: string): Collection | undefined {
    const found = this.find.get(name) as unknown as [string, number, string, number | null] | undefined;
    if (!found) return undefined;
    const [schema, generation, checkpoint, building] = found;
    return { schema, generation, checkpoint, building };
  }
}

function put(table: RowTable, row: RowValues): void {
  try {
    table.put(row);
  } catch (error) {
    throw new RowNotTaken(error);
  }
}

function indexesOf(schema: CollectionSchema, generation: number): readonly string[] {
  return partsOf(schema).flatMap((part) => createIndexes(part, tableOf(part.name, generation)));
}
