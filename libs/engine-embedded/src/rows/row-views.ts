import { connect } from '../database.js';
import { storeFile } from '../writer/store-file.js';
import { quoted, tableOf } from './collection-columns.js';

/** A table of a collection's rows for any SQLite client: what every row has, and these members. */
export interface RowView {
  /** Must not be that of a table. */
  readonly name: string;
  readonly collection: string;
  readonly columns: readonly { readonly name: string; readonly member: string }[];
}

/** Those that every row has. A member of the same name takes the place of the row's own. */
const OF_EVERY_ROW = ['id', 'project_id', 'created_at', 'position', 'deleted'];
const BUSY_MS = 5_000;

/** Writes the views of the collections that are stored. The directory must not be open. */
export function writeRowViews(directory: string, views: readonly RowView[]): void {
  const db = connect(storeFile(directory), { busyMs: BUSY_MS });
  try {
    const stored = db.prepare('SELECT name, generation FROM collections').all() as unknown as readonly [string, number][];
    const generations = new Map(stored);
    for (const view of views) {
      const generation = generations.get(view.collection);
      if (generation !== undefined) db.exec(viewOf(view, generation));
    }
  } finally {
    db.close();
  }
}

function viewOf({ name: viewName, collection, columns }: RowView, generation: number): string {
  const members = new Map(
    columns.map(({ name, member }) => [name, `json_extract(stored, '$.row.${member}') AS ${quoted(name)}`]),
  );
  const own = OF_EVERY_ROW.map((name) => members.get(name) ?? quoted(name));
  const others = [...members].flatMap(([name, sql]) => (OF_EVERY_ROW.includes(name) ? [] : [sql]));
  const view = quoted(viewName);
  const select = `SELECT ${[...own, ...others].join(', ')} FROM ${quoted(tableOf(collection, generation))}`;
  return `DROP VIEW IF EXISTS ${view}; CREATE VIEW ${view} AS ${select};`;
}
