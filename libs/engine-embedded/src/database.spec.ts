import { mkdtempSync, rmSync, statSync, chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from './database.js';

describe('a store file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sqlite-'));
    chmodSync(directory, 0o755);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const modes = () => readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);

  it('is for its owner only, with all that lies beside it, in a directory that is open to others', () => {
    const db = connect(join(directory, 'store.sqlite'), { busyMs: 0 });
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE said (words TEXT)');
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    db.close();
  });

  it('that is there already keeps the rights that its operator gave it', () => {
    const file = join(directory, 'store.sqlite');
    writeFileSync(file, '', { mode: 0o640 });
    connect(file, { busyMs: 0 }).close();
    expect(modes()).toEqual([0o640]);
  });
});
