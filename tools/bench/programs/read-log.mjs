// The least a rebuild can cost: every event read in order and parsed.
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';

const { directory } = JSON.parse(process.argv[2]);
const CHUNK = 1_000;
const db = new DatabaseSync(join(directory, 'store.sqlite'), { readOnly: true, returnArrays: true });
const range = db.prepare('SELECT position, body FROM events WHERE position > ? ORDER BY position LIMIT ?');
const from = performance.now();
let events = 0;
let letters = 0;
for (let after = 0, rows = null; rows === null || rows.length === CHUNK; events += rows.length) {
  rows = range.all(after, CHUNK);
  for (const [, body] of rows) letters += JSON.parse(body).type.length;
  after = rows.at(-1)?.[0] ?? after;
}
const seconds = (performance.now() - from) / 1_000;
process.stdout.write(JSON.stringify({ events, letters, seconds, perSecond: events / seconds }), () => process.exit(0));
