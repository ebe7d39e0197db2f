import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collection, position, row } from '@ports/contracts/note-rows';
import { FakeClock } from '@testing/fake-clock';
import { completeFile } from '../complete-file.js';
import { connectToImmutable } from '../database.js';
import { openEmbeddedEngine } from '../open-embedded-engine.js';
import { writeRowViews } from './row-views.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'views-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const schema = collection();
const view = {
  name: 'notes_rows',
  collection: schema.name,
  columns: [
    { name: 'status', member: 'status' },
    { name: 'project_id', member: 'ofProject' },
  ],
};

/** Stores these rows, and leaves the directory to other programs. */
async function leave(version: number, ...members: readonly object[]): Promise<void> {
  const { readModels, engine } = await openEmbeddedEngine(directory, new FakeClock());
  await readModels.define({ ...schema, version });
  const rows = members.map((each, index) => row(`n${index}`, index + 1, each));
  await readModels.apply(schema.name, rows, position(rows.length));
  await engine.close();
  writeRowViews(directory, [view, { ...view, name: 'none_rows', collection: 'none' }]);
  completeFile(directory);
}

/** What a program reads that knows SQLite alone, and this file alone. */
const read = (sql: string) => connectToImmutable(join(directory, 'store.sqlite')).prepare(sql).all();

describe('the views of rows', () => {
  it('have what every row has and the members, one of which may stand for the row’s own', async () => {
    await leave(1, { status: 'done', ofProject: 'prj_2' }, { status: 'open' });
    expect(read('SELECT id, project_id, position, deleted, status FROM notes_rows ORDER BY id')).toEqual([
      ['n0', 'prj_2', position(1), 0, 'done'],
      ['n1', null, position(2), 0, 'open'],
    ]);
  });

  it('show the rows that are there after they were made anew', async () => {
    await leave(1, { status: 'done' }, { status: 'open' });
    await leave(2, { status: 'other' });
    expect(read('SELECT status FROM notes_rows')).toEqual([['other']]);
  });

  it('are there only of rows that are', async () => {
    await leave(1, {});
    expect(read("SELECT name FROM sqlite_schema WHERE type = 'view'")).toEqual([['notes_rows']]);
  });
});
