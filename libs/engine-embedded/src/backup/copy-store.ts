import { backup } from '@photostructure/sqlite';
import { connect, connectToImmutable, type Database } from '../database.js';
import { setMark } from '../writer/refuse-foreign-log.js';
import { openForReading } from '../writer/store-file.js';

/** Pages copied between two checks whether to stop. */
const PAGES_AT_ONCE = 1_000;

export interface StoreCopy {
  readonly from: string;
  readonly to: string;
}

/** Copies a store as it is now, while others write to it, and checks the copy, which blocks this thread. Resolves to its bytes. */
export async function copyStore({ from, to }: StoreCopy): Promise<number> {
  const source = openForReading(from);
  try {
    // Without a transaction SQLite would start over after each commit of the writer, for ever under load.
    source.exec('BEGIN; SELECT count(*) FROM meta');
    await backup(source, to, { rate: PAGES_AT_ONCE });
  } finally {
    source.close();
  }
  markCopy(to);
  return checkCopy(to);
}

/** Marks a copy, so that a start refuses it beside the log of another store. */
export function markCopy(file: string): void {
  const copy = connect(file, { busyMs: 0 });
  try {
    setMark(copy);
  } finally {
    copy.close();
  }
}

/** The size of a copy in bytes. Throws if it is damaged. */
export function checkCopy(file: string): number {
  const copy = connectToImmutable(file);
  try {
    const [found] = valuesOf(copy, 'PRAGMA integrity_check(1)');
    if (found !== 'ok') throw new Error(`the copy is damaged: ${found}`);
    const [pages] = valuesOf(copy, 'PRAGMA page_count');
    const [pageBytes] = valuesOf(copy, 'PRAGMA page_size');
    return Number(pages) * Number(pageBytes);
  } finally {
    copy.close();
  }
}

function valuesOf(db: Database, sql: string): readonly (string | number)[] {
  return db.prepare(sql).get() as unknown as (string | number)[];
}
