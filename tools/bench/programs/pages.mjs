// Pages of 20 in this process: through the port as lists are answered, and as a bare prepared range over the same file, taking turns.
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { loadFrom, openEngine } from '../places.mjs';

const { build, directory } = JSON.parse(process.argv[2]);
const PAGES = 5_000;
const LIMIT = 20;
const { conversationsProjection } = await loadFrom(build, 'conversations');
const { readModels, engine } = await openEngine(build, directory);
await readModels.define(conversationsProjection.schema);
const db = new DatabaseSync(join(directory, 'store.sqlite'), { readOnly: true, returnArrays: true });
const [generation] = db.prepare("SELECT generation FROM collections WHERE name = 'conversations'").get();
const table = `[rows conversations ${generation}]`;
const [projectId] = db.prepare(`SELECT project_id FROM ${table} LIMIT 1`).get();
const bare = db.prepare(
  `SELECT stored FROM ${table} WHERE project_id = ? AND deleted = 0 AND (created_at, sort_id) < (?, ?)
   ORDER BY created_at DESC, sort_id DESC LIMIT ${LIMIT}`,
);
const [first, last] = db.prepare(`SELECT min(created_at), max(created_at) FROM ${table} WHERE project_id = ?`).get(projectId);
const END = '9'.repeat(20);
/** Pages near the newest row, anywhere, near the oldest. */
const places = {
  start: () => last,
  middle: () => first + Math.floor(Math.random() * (last - first)),
  end: () => first + Math.floor((last - first) * 0.001),
};

const ours = async (createdAt) => {
  const query = { projectId, filter: [], order: 'desc', limit: LIMIT, after: { createdAt, sortId: END } };
  return (await readModels.list('conversations', query)).length;
};
const limit = (createdAt) => bare.all(projectId, createdAt, END).length;

async function micros(page, place) {
  const from = performance.now();
  for (let count = 0; count < PAGES; count++) {
    if ((await page(place())) < 1) throw new Error('an empty page');
  }
  return ((performance.now() - from) * 1_000) / PAGES;
}

const measured = {};
for (const _warmUpThenMeasured of [1, 2]) {
  for (const [name, page] of Object.entries({ ours, limit })) {
    measured[name] = {};
    for (const [where, place] of Object.entries(places)) measured[name][where] = await micros(page, place);
  }
}
bare.finalize?.();
db.close();
await engine.close();
process.stdout.write(JSON.stringify(measured), () => process.exit(0));
