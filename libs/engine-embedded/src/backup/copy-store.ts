import { backup } from '@photostructure/sqlite';
import { connect, connectToImmutable, type Database } from '../database.js';
import { setMark } from '../writer/refuse-foreign-log.js';
import { openForReading } from '../writer/store-file.js';

/** So many pages are copied between two looks at whether the thread is to end. */
const PAGES_AT_ONCE = 1_000;

/** What to copy, and where to. */
export interface StoreCopy {
  readonly from: string;
  /** A new file; it may exist if it is empty. */
  readonly to: string;
}

/**
 * Copies a store that is written meanwhile, as it is when the copy begins, and checks the copy. Resolves to its bytes. The
 * check keeps this thread busy.
 */
export async function copyStore({ from, to }: StoreCopy): Promise<number> {
  const source = openForReading(from);
  try {
    // Outside a transaction SQLite would begin anew after each commit of the writer, and never be done under load.
    source.exec('BEGIN; SELECT count(*) FROM meta');
    await backup(source, to, { rate: PAGES_AT_ONCE });
  } finally {
    source.close();
  }
  markCopy(to);
  return checkCopy(to);
}

/** Gives a copy a mark of its own, so that a start refuses it beside the log of another store. */
export function markCopy(file: string): void {
  const copy = connect(file, { busyMs: 0 });
  try {
    setMark(copy);
  } finally {
    copy.close();
  }
}

/** The bytes of a copy of a store. Throws where it is damaged. */
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
