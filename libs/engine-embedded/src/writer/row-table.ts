import type { CollectionSchema } from '@ports/read-models.port';
import { PLACE, column, columnsOf, quoted } from '../collection-table.js';
import type { RowValues } from './requests.js';
import type { Database, Statement } from '../sqlite.js';

const PLACE_IS = PLACE.map((name) => `${name} = ?`).join(' AND ');

/** Guarded upserts into the rows of one generation of a collection. */
export class RowTable {
  private readonly find: Statement;
  private readonly insert: Statement;
  private readonly remove: Statement;
  private readonly updates = new Map<string, Statement>();
  private readonly columns: readonly string[];

  constructor(
    private readonly db: Database,
    schema: CollectionSchema,
    private readonly table: string,
  ) {
    this.columns = columnsOf(schema).map(column);
    const values = ['id', 'project_id', 'created_at', 'sort_id', 'position', 'deleted', 'listing', 'stored', ...this.columns];
    this.find = db.prepare(
      `SELECT position, project_id, deleted, created_at, sort_id ${this.columns.map((name) => `, ${name}`).join('')}
       FROM ${quoted(table)} WHERE id = ?`,
    );
    this.insert = db.prepare(`INSERT INTO ${quoted(table)} (${values.join(', ')}) VALUES (${values.map(() => '?').join(', ')})`);
    this.remove = db.prepare(`DELETE FROM ${quoted(table)} WHERE ${PLACE_IS}`);
  }

  put(values: RowValues): void {
    const [id, project, createdAt, sortId, position, deleted, listing, json, ...fields] = values;
    const found = this.find.get(id) as RowValues | undefined;
    if (!found) return void this.insert.run(...values);
    const [stored, ...old] = found;
    if (String(stored) >= String(position)) return;
    const place = [project, deleted, createdAt, sortId];
    if (place.every((part, index) => part === old[index])) {
      const changed = this.columns.flatMap((_, index) => (fields[index] === old[index + 4] ? [] : [index]));
      this.update(changed).run(position, listing, json, ...changed.map((index) => fields[index]), ...place, id);
    } else {
      this.remove.run(...old.slice(0, 4), id);
      this.insert.run(...values);
    }
  }

  /** Touches only the columns that changed, so that the other indexes stay as they are. */
  private update(changed: readonly number[]): Statement {
    const key = changed.join();
    const known = this.updates.get(key);
    if (known) return known;
    const sets = ['position = ?', 'listing = ?', 'stored = ?', ...changed.map((index) => `${this.columns[index]} = ?`)];
    const statement = this.db.prepare(`UPDATE ${quoted(this.table)} SET ${sets.join(', ')} WHERE ${PLACE_IS}`);
    this.updates.set(key, statement);
    return statement;
  }
}
