import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@testing/fake-clock';
import { DataDirectoryUnusable } from './data-directory.js';
import { openEmbeddedEngine } from './open-embedded-engine.js';
import { connect } from './sqlite.js';
import { storeFile } from './writer/store-file.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'layout-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openEmbeddedEngine(directory, new FakeClock());

/** What the file says of how it is laid out, read or written. */
function layout(pragma: string): unknown {
  const db = connect(storeFile(directory), { busyMs: 5000 });
  try {
    return db.prepare(`PRAGMA user_version${pragma}`).get();
  } finally {
    db.close();
  }
}

describe('a data directory that a newer version laid out in another way', () => {
  it('is refused as it is, and opens for the version that knows it', async () => {
    await (await open()).engine.close();
    const known = layout('');
    layout(' = 99');
    await expect(open()).rejects.toThrow(DataDirectoryUnusable);
    await expect(open()).rejects.toThrow('newer version (layout 99');
    expect(layout('')).toEqual([99]);
    layout(` = ${String(known)}`);
    await (await open()).engine.close();
  });
});
