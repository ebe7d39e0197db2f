import type { RowsSchema } from '@ports/read-models.port';
import type { Database, Statement } from '../database.js';
import type { RowValues } from '../writer/requests.js';
import { column, columnsOf, quoted } from './collection-columns.js';

/** Columns other than the texts. Only changed ones are written, which spares the other indexes. */
const KEPT = ['project_id', 'created_at', 'sort_id', 'deleted'];

export class RowTable {
  private readonly find: Statement;
  private readonly insert: Statement;
  private readonly updates = new Map<string, Statement>();
  private readonly columns: readonly string[];

  constructor(
    private readonly db: Database,
    schema: RowsSchema,
    private readonly table: string,
  ) {
    const fields = columnsOf(schema).map(column);
    this.columns = [...KEPT, ...fields];
    const values = ['id', 'project_id', 'created_at', 'sort_id', 'position', 'deleted', 'listing', 'stored', ...fields];
    this.find = db.prepare(`SELECT row, position, ${this.columns.join(', ')} FROM ${quoted(table)} WHERE id = ?`);
    this.insert = db.prepare(`INSERT INTO ${quoted(table)} (${values.join(', ')}) VALUES (${values.map(() => '?').join(', ')})`);
  }

  put(values: RowValues): void {
    const [id, project, createdAt, sortId, position, deleted, listing, json, ...fields] = values;
    const found = this.find.get(id) as RowValues | undefined;
    if (!found) return void this.insert.run(...values);
    const [row, stored, ...old] = found;
    if (String(stored) >= String(position)) return;
    const now = [project, createdAt, sortId, deleted, ...fields];
    const changed = now.flatMap((value, index) => (value === old[index] ? [] : [index]));
    this.update(changed).run(position, listing, json, ...changed.map((index) => now[index]), row);
  }

  private update(changed: readonly number[]): Statement {
    const key = changed.join();
    const known = this.updates.get(key);
    if (known) return known;
    const sets = ['position = ?', 'listing = ?', 'stored = ?', ...changed.map((index) => `${this.columns[index]} = ?`)];
    const statement = this.db.prepare(`UPDATE ${quoted(this.table)} SET ${sets.join(', ')} WHERE row = ?`);
    this.updates.set(key, statement);
    return statement;
  }
}
