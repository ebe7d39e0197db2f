import type { Position } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';

type Apply = (rows: readonly StoredRow[], checkpoint: Position) => Promise<void>;
type Refused = (row: StoredRow, error: RowsRefused) => void;

/** Writes all rows but those that the store refuses by themselves, which it tells of. The checkpoint stays where it is. */
export async function writeApart(
  rows: readonly StoredRow[],
  checkpoint: Position,
  apply: Apply,
  refused: Refused,
): Promise<void> {
  try {
    await apply(rows, checkpoint);
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error;
    const [only] = rows;
    if (only && rows.length === 1) return refused(only, error);
    const half = Math.ceil(rows.length / 2);
    if (half === 0) throw error;
    await writeApart(rows.slice(0, half), checkpoint, apply, refused);
    await writeApart(rows.slice(half), checkpoint, apply, refused);
  }
}
