import type { ReadModels, StoredRow } from '@ports/read-models.port';

const ROWS_AT_ONCE = 500;

export interface WantedRows {
  /** Only those of this project. */
  readonly projectId?: string;
}

/** All rows of a collection in the order of their ids, deleted ones included. Reads on only as far as the caller iterates. */
export async function* rowsInOrder(
  readModels: ReadModels,
  collection: string,
  { projectId }: WantedRows = {},
): AsyncGenerator<StoredRow> {
  let after: string | undefined;
  for (;;) {
    const rows = await readModels.scan(collection, { limit: ROWS_AT_ONCE, ...(after !== undefined && { after }) });
    for (const row of rows) if (projectId === undefined || row.projectId === projectId) yield row;
    after = rows.at(-1)?.id;
    if (after === undefined) return;
  }
}
