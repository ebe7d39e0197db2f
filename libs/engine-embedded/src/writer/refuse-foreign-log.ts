import { statSync } from 'node:fs';
import { connectToImmutable, type Database } from '../database.js';
import { storeTrouble } from './store-trouble.js';
import { openForReading, RESTORE } from './store-file.js';

/** The row of `meta` that ties a store to its write-ahead log: the present mark and the previous one. */
const ROW = 'log_mark';
const MARKS = /^([0-9a-f]{32}) ([0-9a-f]{32}|none)$/;
const NONE = 'none';

interface Marks {
  readonly current: string;
  readonly before: string;
}

interface Read {
  readonly marks: Marks | null;
  /** False if the table is missing: the file is empty or torn. */
  readonly hasTable: boolean;
}

type Found = Read | { readonly failure: string };

/**
 * Sets a new random mark in the caller's transaction. The writer does so in the first commit after each full checkpoint, so the mark in the
 * file is the newest of its log or the one before; a mark in any other file is neither. A copy gets its own mark, unknown to any log.
 */
export function setMark(db: Database): void {
  const current = `coalesce((SELECT substr(value, 1, 32) FROM meta WHERE name = '${ROW}'), '${NONE}')`;
  db.exec(`INSERT OR REPLACE INTO meta (name, value) VALUES ('${ROW}', lower(hex(randomblob(16))) || ' ' || ${current})`);
}

/** Whether a store has a mark; earlier versions have none. */
export function isMarked(db: Database): boolean {
  return readMarks(db) !== null;
}

/** Throws if store and log do not belong together, as after copying a backup over a store with a log. Writes nothing. */
export function refuseForeignLog(file: string): void {
  const log = `${file}-wal`;
  if (isEmpty(log)) return;
  const advice = `${RESTORE}, or move ${log} away to start without it`;
  const apart = `${file} and ${log} do not belong together: ${advice}`;
  if (isEmpty(file)) throw new Error(apart);
  const together = marksIn(() => openForReading(file));
  if ('failure' in together) throw new Error(`${file} with ${log} cannot be read (${together.failure}): ${advice}`);
  const alone = marksIn(() => connectToImmutable(file));
  if (('marks' in alone ? isOfLog(alone, together.marks) : null) ?? isSound(file)) return;
  throw new Error(apart);
}

/** Null if undecidable: an earlier version has no mark, or a power cut tore the file, which its log repairs. */
function isOfLog({ marks: alone, hasTable }: Read, together: Marks | null): boolean | null {
  if (alone) return together !== null && [together.current, together.before].includes(alone.current);
  if (together === null) return true;
  // The first mark is in the file before a log has the second.
  return hasTable && together.before !== NONE ? false : null;
}

function isSound(file: string): boolean {
  const db = openForReading(file);
  try {
    const [found] = db.prepare('PRAGMA integrity_check(1)').get() as unknown as [string];
    return found === 'ok';
  } catch (error) {
    if (storeTrouble(error) === 'away') throw error;
    return false;
  } finally {
    db.close();
  }
}

function marksIn(connectTo: () => Database): Found {
  let db: Database | undefined;
  try {
    db = connectTo();
    return { marks: readMarks(db), hasTable: true };
  } catch (error) {
    const trouble = storeTrouble(error);
    if (trouble === 'damaged') return { failure: (error as Error).message };
    // A disk that cannot be read proves nothing about the files: the start fails with its error.
    if (trouble === 'away') throw error;
    // A process killed in its first moments left no table.
    return { marks: null, hasTable: false };
  } finally {
    db?.close();
  }
}

/** No prepared statement: it would keep the connection open until garbage collection. */
function readMarks(db: Database): Marks | null {
  let text = '';
  db.function('hand_over', (value: unknown) => {
    text = String(value);
    return null;
  });
  db.exec(`SELECT hand_over(value) FROM meta WHERE name = '${ROW}'`);
  const [, current, before] = MARKS.exec(text) ?? [];
  return current === undefined || before === undefined ? null : { current, before };
}

function isEmpty(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
