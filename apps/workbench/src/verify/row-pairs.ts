import { START, type Position } from '@ports/event-store.port';
import type { ReadModels, StoredRow } from '@ports/read-models.port';
import { rowsInOrder } from '../folder/rows-in-order.js';
import type { LiveRows } from './live-rows.js';

/** A row of the workbench and that of the service with the same id, at least one of them. */
export interface RowPair {
  readonly id: string;
  readonly expected: StoredRow | null;
  readonly stored: StoredRow | null;
  /** Every event up to here is in the stored row, or would be. */
  readonly storedUpTo: Position;
}

interface Stored {
  readonly row: StoredRow;
  readonly upTo: Position;
}

/** All rows that there are on either side, by id. */
export async function* rowPairs(live: LiveRows, folder: ReadModels, name: string): AsyncGenerator<RowPair> {
  const pages = new LiveReading(live, name);
  const [stored, expected] = [pages.rows(), rowsInOrder(folder, name)];
  let [one, other] = [await expected.next(), await stored.next()];
  while (!one.done || !other.done) {
    const [ours, theirs] = [one.done ? null : one.value, other.done ? null : other.value];
    const id = firstOf(ours?.id, theirs?.row.id);
    const [isOurs, isTheirs] = [ours?.id === id, theirs?.row.id === id];
    const storedUpTo = theirs?.upTo ?? pages.upTo;
    yield { id, expected: isOurs ? ours : null, stored: isTheirs && theirs ? theirs.row : null, storedUpTo };
    if (isOurs) one = await expected.next();
    if (isTheirs) other = await stored.next();
  }
}

class LiveReading {
  /** The checkpoint of the last page. */
  upTo: Position = START;

  constructor(
    private readonly live: LiveRows,
    private readonly name: string,
  ) {}

  async *rows(): AsyncGenerator<Stored> {
    let after: string | undefined;
    for (;;) {
      const { checkpoint, rows } = await this.live.page(this.name, after);
      this.upTo = checkpoint;
      for (const row of rows) yield { row, upTo: checkpoint };
      after = rows.at(-1)?.id;
      if (after === undefined) return;
    }
  }
}

/** By code point, as both sides are sorted. */
function firstOf(one: string | undefined, other: string | undefined): string {
  if (one === undefined || other === undefined) return one ?? other ?? '';
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) <= 0 ? one : other;
}
