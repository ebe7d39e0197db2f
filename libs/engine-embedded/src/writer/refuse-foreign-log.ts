import { statSync } from 'node:fs';
import { connectToImmutable, type Database } from '../database.js';
import { storeTrouble } from './store-trouble.js';
import { openForReading, RESTORE } from './store-file.js';

/** The row of `meta` that ties a store to its write-ahead log: the mark in force, and the one before it. */
const ROW = 'log_mark';
const MARKS = /^([0-9a-f]{32}) ([0-9a-f]{32}|none)$/;
const NONE = 'none';

interface Marks {
  readonly current: string;
  /** `none` where the current one is the first. */
  readonly before: string;
}

interface Read {
  readonly marks: Marks | null;
  /** False where the table of marks cannot be found: the file is empty or torn. */
  readonly hasTable: boolean;
}

type Found = Read | { readonly failure: string };

/**
 * Gives a store a new random mark, as part of the caller's transaction. The writer does so in the first commit after each
 * checkpoint that moved the whole log into the file. So the mark in the file is the newest one of its log, or the one before that;
 * the mark in any other file is neither. A copy gets a mark of its own, which no log knows.
 */
export function setMark(db: Database): void {
  const current = `coalesce((SELECT substr(value, 1, 32) FROM meta WHERE name = '${ROW}'), '${NONE}')`;
  db.exec(`INSERT OR REPLACE INTO meta (name, value) VALUES ('${ROW}', lower(hex(randomblob(16))) || ' ' || ${current})`);
}

/** Whether a store has a mark; one of an earlier version has none. */
export function isMarked(db: Database): boolean {
  return readMarks(db) !== null;
}

/**
 * Throws where the store and the log beside it do not belong together, such as a backup that was copied over a store whose log is
 * still there. Writes nothing. After an orderly end there is no log, and nothing to compare.
 */
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

/** Null where the marks cannot tell: a file has none that is of an earlier version, or that a power cut tore, which its log mends. */
function isOfLog({ marks: alone, hasTable }: Read, together: Marks | null): boolean | null {
  if (alone) return together !== null && [together.current, together.before].includes(alone.current);
  if (together === null) return true;
  // The first mark is in the file before a log has the second.
  return hasTable && together.before !== NONE ? false : null;
}

/** Takes seconds for a large store. */
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
    // A disk that cannot be read now says nothing about the files: the start fails with what it says.
    if (trouble === 'away') throw error;
    // A process that was killed in its first moments left no table.
    return { marks: null, hasTable: false };
  } finally {
    db?.close();
  }
}

/** Without a prepared statement, which would keep the connection open until it is collected as garbage. */
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
