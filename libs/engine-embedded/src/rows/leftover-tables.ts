import type { Database } from '../database.js';
import { quoted } from './collection-columns.js';

const ROWS_DROPPED_AT_ONCE = 500;

/** Unused tables, dropped in steps short enough not to block other writes. */
export class LeftoverTables {
  private readonly add;
  private readonly first;
  private readonly firstIndex;
  private readonly remove;
  private readonly primaryKey;

  constructor(private readonly db: Database) {
    this.add = db.prepare('INSERT INTO leftovers (name) VALUES (?)');
    this.first = db.prepare('SELECT name FROM leftovers LIMIT 1');
    this.firstIndex = db.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL LIMIT 1",
    );
    this.primaryKey = db.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk');
    this.remove = db.prepare('DELETE FROM leftovers WHERE name = ?');
  }

  get any(): boolean {
    return this.first.get() !== undefined;
  }

  leave(table: string): void {
    this.add.run(table);
  }

  /** Drops an index, a few rows, or the emptied table. Returns whether anything was left. */
  sweep(): boolean {
    const table = nameIn(this.first.get());
    if (table === undefined) return false;
    const index = nameIn(this.firstIndex.get(table));
    if (index !== undefined) this.db.exec(`DROP INDEX ${quoted(index)}`);
    else this.dropRows(table);
    return true;
  }

  private dropRows(table: string): void {
    const key = this.keyOf(table);
    const { changes } = this.db
      .prepare(`DELETE FROM ${quoted(table)} WHERE (${key}) IN (SELECT ${key} FROM ${quoted(table)} LIMIT ?)`)
      .run(ROWS_DROPPED_AT_ONCE);
    if (changes === ROWS_DROPPED_AT_ONCE) return;
    this.db.exec(`DROP TABLE ${quoted(table)}`);
    this.remove.run(table);
  }

  /** The primary key's columns: tables of older layouts have no rowid. */
  private keyOf(table: string): string {
    const columns = this.primaryKey.all(table) as unknown as readonly [string][];
    return columns.map(([name]) => name).join(', ');
  }
}

function nameIn(row: unknown): string | undefined {
  return (row as [string] | undefined)?.[0];
}
