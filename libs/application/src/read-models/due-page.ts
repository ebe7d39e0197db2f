import type { DueKey, ReadModels, StoredRow } from '@ports/read-models.port';

export interface DuePage<Row extends object> {
  readonly rows: readonly StoredRow<Row>[];
  readonly next: DueKey | null;
}

/** All projects' rows whose `field` is due, smallest first, after `after`. */
export async function duePage<Row extends object>(
  readModels: ReadModels,
  [collection, field]: readonly [collection: string, field: keyof Row & string],
  upTo: number,
  limit: number,
  after: DueKey | null,
): Promise<DuePage<Row>> {
  const rows = (await readModels.due(collection, field, upTo, limit, after ?? undefined)) as readonly StoredRow<Row>[];
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, next: last ? { value: Number(last.row[field]), id: last.id } : null };
}
