import type { Position } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';

type Apply = (rows: readonly StoredRow[], checkpoint: Position) => Promise<void>;
type Refused = (row: StoredRow, error: RowsRefused) => Promise<void> | void;

/** Finds the accepted rows by halving a refused batch, and reports each refused row. Does not move the checkpoint. */
export async function writeAccepted(
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
    await writeAccepted(rows.slice(0, half), checkpoint, apply, refused);
    await writeAccepted(rows.slice(half), checkpoint, apply, refused);
  }
}
