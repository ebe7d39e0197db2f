// Pages of 20 in this process: through the port as lists are answered, and as a bare prepared range over the same file.
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { loadFrom, openEngine } from './engine.mjs';

const PAGES = 5_000;
const LIMIT = 20;
const END = '9'.repeat(20);

function bareRange(directory) {
  const db = new DatabaseSync(join(directory, 'store.sqlite'), { readOnly: true, returnArrays: true });
  const [generation] = db.prepare("SELECT generation FROM collections WHERE name = 'conversations'").get();
  const table = `[rows conversations ${generation}]`;
  const [projectId] = db.prepare(`SELECT project_id FROM ${table} LIMIT 1`).get();
  const [first, last] = db.prepare(`SELECT min(created_at), max(created_at) FROM ${table} WHERE project_id = ?`).get(projectId);
  const range = db.prepare(
    `SELECT stored FROM ${table} WHERE project_id = ? AND deleted = 0 AND (created_at, sort_id) < (?, ?)
     ORDER BY created_at DESC, sort_id DESC LIMIT ${LIMIT}`,
  );
  return { projectId, first, last, page: (createdAt) => range.all(projectId, createdAt, END) };
}

async function micros(page, anywhere) {
  const from = performance.now();
  for (let count = 0; count < PAGES; count++) {
    if ((await page(anywhere())).length < 1) throw new Error('an empty page');
  }
  return ((performance.now() - from) * 1_000) / PAGES;
}

export async function measure({ build, directory }) {
  const { conversationsProjection } = await loadFrom(build, 'conversations.projection.js');
  const { readModels } = await openEngine(build, directory);
  await readModels.define(conversationsProjection.schema);
  const { projectId, first, last, page: bare } = bareRange(directory);
  const anywhere = () => first + Math.floor(Math.random() * (last - first));
  const ours = (createdAt) => {
    const after = { createdAt, sortId: END };
    return readModels.list('conversations', { projectId, filter: [], order: 'desc', limit: LIMIT, after });
  };
  for (const page of [ours, bare]) await micros(page, anywhere);
  return { micros: await micros(ours, anywhere), bareMicros: await micros(bare, anywhere) };
}
