// The least a rebuild can cost: every event read in order and parsed.
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';

const CHUNK = 1_000;

export function measure({ directory }) {
  const db = new DatabaseSync(join(directory, 'store.sqlite'), { readOnly: true, returnArrays: true });
  const range = db.prepare('SELECT position, body FROM events WHERE position > ? ORDER BY position LIMIT ?');
  const from = performance.now();
  let events = 0;
  for (let after = 0, rows = null; rows === null || rows.length === CHUNK; events += rows.length) {
    rows = range.all(after, CHUNK);
    for (const [, body] of rows) JSON.parse(body);
    after = rows.at(-1)?.[0] ?? after;
  }
  return { perSecond: (events * 1_000) / (performance.now() - from) };
}
