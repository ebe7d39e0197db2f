import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@testing/fake-clock';
import { DataDirectoryUnusable } from './data-directory.js';
import { openEmbeddedEngine } from './open-embedded-engine.js';
import { connect } from './database.js';
import { storeFile } from './writer/store-file.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'layout-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openEmbeddedEngine(directory, new FakeClock());

const layout = (value = ''): unknown => pragma(`user_version${value}`);

function pragma(text: string): unknown {
  const db = connect(storeFile(directory), { busyMs: 5000 });
  try {
    return db.prepare(`PRAGMA ${text}`).get();
  } finally {
    db.close();
  }
}

describe('a data directory that a newer version laid out in another way', () => {
  it('is refused as it is, and opens for the version that knows it', async () => {
    await (await open()).engine.close();
    const known = layout();
    layout(' = 99');
    await expect(open()).rejects.toThrow(DataDirectoryUnusable);
    await expect(open()).rejects.toThrow('newer version (layout 99');
    expect(layout()).toEqual([99]);
    layout(` = ${String(known)}`);
    await (await open()).engine.close();
  });
});

describe('a data directory whose events have no metadata, as they were stored before', () => {
  const noted = (id: string) => ({ id, event: { type: 'Noted', at: 1 } });

  it('opens with its events as they are, and keeps the metadata of later ones', async () => {
    const before = await open();
    await before.events.append('note-1', [noted('5f0c2f5e-7b0a-4a53-9a55-0d8c4b8c5b11')], 'none');
    await before.engine.close();
    toThirdLayout();
    const { engine, events } = await open();
    const metadata = { $correlationId: 'cor_1' };
    await events.append('note-1', [{ ...noted('7b0c2f5e-7b0a-4a53-9a55-0d8c4b8c5b22'), metadata }], 0);
    const read = await events.read('note-1');
    expect(read).toMatchObject([{ revision: 0, event: { type: 'Noted', at: 1 } }, { metadata }]);
    expect('metadata' in read[0]!).toBe(false);
    await engine.close();
  });

  function toThirdLayout(): void {
    const db = connect(storeFile(directory), { busyMs: 5000 });
    db.exec(`ALTER TABLE events DROP COLUMN metadata; DROP TABLE expiring_records;
      CREATE TABLE record_log (
        row INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT, version TEXT NOT NULL, expires_at INTEGER NOT NULL
      );
      CREATE TABLE record_places (part INTEGER, hash INTEGER, row INTEGER, PRIMARY KEY (part, hash, row)) WITHOUT ROWID;
      PRAGMA user_version = 3`);
    db.close();
  }
});

describe('a data directory of smaller pages, as they were made before', () => {
  const note = { id: '5f0c2f5e-7b0a-4a53-9a55-0d8c4b8c5b11', event: { type: 'Noted', at: 1, text: 'x'.repeat(10_000) } };

  it('opens and works with them; a new one has larger ones', async () => {
    const db = connect(storeFile(directory), { busyMs: 5000 });
    db.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID');
    db.close();
    const { engine, events } = await open();
    await events.append('note-1', [note], 'none');
    await engine.close();
    expect(pragma('page_size')).toEqual([4_096]);
    rmSync(storeFile(directory));
    await (await open()).engine.close();
    expect(pragma('page_size')).toEqual([8_192]);
  });
});
