import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryInUse, DataDirectoryUnusable, DirectoryLock } from './data-directory.js';

const NOBODY = 65_534;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  chmodSync(directory, 0o755);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Takes the lock as a user who is subject to file permissions. */
function takenByAUser(): DirectoryLock {
  const user = process.geteuid?.();
  if (user !== 0) return DirectoryLock.take(directory);
  process.seteuid?.(NOBODY);
  try {
    return DirectoryLock.take(directory);
  } finally {
    process.seteuid?.(user);
  }
}

describe('the lock of a data directory', () => {
  it('keeps a second one out until it is released, and leaves nothing but its empty file', () => {
    const lock = DirectoryLock.take(directory);
    expect(() => DirectoryLock.take(directory)).toThrow(DataDirectoryInUse);
    lock.release();
    DirectoryLock.take(directory).release();
    expect(readdirSync(directory)).toEqual(['lock.sqlite']);
    expect(statSync(join(directory, 'lock.sqlite')).size).toBe(0);
  });

  it('is refused where its file may only be read, since it would keep nobody out', () => {
    writeFileSync(join(directory, 'lock.sqlite'), '', { mode: 0o444 });
    expect(takenByAUser).toThrow(DataDirectoryUnusable);
  });
});
