import { type Position, START } from './event-store.port.js';
import type { DueKey, SortKey, StoredRow } from './read-models.port.js';

/** The place of a row that cannot be read, as what is stored of it is damaged. Engines leave it out of their answers. */
export class DamagedRow implements StoredRow {
  readonly createdAt: number;
  readonly sortId: Position;
  readonly projectId = '';
  readonly position = START;
  readonly deleted = false;

  /** @param row the due field by which it was found */
  constructor(
    { createdAt, sortId }: SortKey,
    readonly id = '',
    readonly row: object = {},
  ) {
    this.createdAt = createdAt;
    this.sortId = sortId;
  }
}

type Note = (row: DamagedRow) => void;

/** Null where the row is damaged, too. */
export function readableRow(row: StoredRow | null, note: Note = () => undefined): StoredRow | null {
  if (!(row instanceof DamagedRow)) return row;
  note(row);
  return null;
}

/** Up to `limit` rows without the damaged ones. In the place of those it reads on: a short page would look like the last. */
export async function readableRows(
  limit: number,
  read: (limit: number, after: StoredRow | undefined) => Promise<readonly StoredRow[]>,
  note: Note,
): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let last: StoredRow | undefined; ;) {
    const wanted = limit - rows.length;
    const found = await read(wanted, last);
    rows.push(...found.filter((row) => readableRow(row, note) !== null));
    last = found.at(-1);
    if (found.length < wanted || rows.length >= limit) return rows;
  }
}

/** The place among the rows that are due by this field. */
export function dueKeyOf({ id, row }: StoredRow, field: string): DueKey {
  return { value: Number((row as Readonly<Record<string, unknown>>)[field]), id };
}
