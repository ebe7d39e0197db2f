import { chmodSync, copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { BackupRefused } from '@ports/engine.port';
import { DirectoryLock } from '../data-directory.js';
import { makeDirectory, syncDirectory, syncFile } from '../make-directory.js';
import { storeFile } from '../writer/store-file.js';
import { checkCopy, markCopy } from './copy-store.js';

/** Suffixes of SQLite's files; the first holds commits. */
const SIDE_FILE_SUFFIXES = ['-wal', '-shm'];

export interface Restored {
  readonly bytes: number;
  readonly kept: string | null;
  readonly files: readonly string[];
}

/**
 * Replaces a directory's store, and those of `files` that the backup has; keeps what they replace in a subfolder. May be killed at any time
 * and repeated: a start in between finds the old or the new store, or is refused because key or log do not match. Throws `BackupRefused` or
 * an `EngineNotOpened` before anything is replaced.
 * @param now names the folder
 */
export function restoreDirectory(directory: string, folder: string, files: readonly string[], now: number): Restored {
  refuseUnlessBackup(folder, directory);
  const lock = DirectoryLock.take(directory);
  try {
    return restore(directory, folder, files, now);
  } finally {
    lock.release();
  }
}

function restore(directory: string, folder: string, files: readonly string[], now: number): Restored {
  const store = storeFile(directory);
  const others = files.filter((name) => differs(join(folder, name), join(directory, name)));
  const drafts = [basename(store), ...others].map((name) => draftOf(join(folder, name), join(directory, name)));
  try {
    for (const { copy } of drafts) copy();
    markCopy(`${store}.restored`);
    const bytes = checkCopy(`${store}.restored`);
    const kept = keep(
      [store, ...SIDE_FILE_SUFFIXES.map((end) => store + end), ...others.map((name) => join(directory, name))],
      join(directory, `replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`),
    );
    for (const { place } of drafts.toReversed()) place();
    // A power cut must not leave the old store without its log.
    syncDirectory(directory);
    for (const end of SIDE_FILE_SUFFIXES) rmSync(store + end, { force: true });
    syncDirectory(directory);
    return { bytes, kept, files: others };
  } catch (error) {
    for (const { discard } of drafts) discard();
    throw new BackupRefused(`The backup ${folder} cannot be restored: ${(error as Error).message}.`, { cause: error });
  }
}

/** A copy under a draft name, to be renamed once all copies are complete. */
function draftOf(from: string, to: string) {
  const draft = `${to}.restored`;
  const discard = () => {
    for (const end of ['', ...SIDE_FILE_SUFFIXES]) rmSync(draft + end, { force: true });
  };
  return {
    copy: () => {
      // SQLite would apply the log of a draft whose command was killed.
      discard();
      copyFileSync(from, draft);
      chmodSync(draft, 0o600);
      syncFile(draft);
    },
    place: () => renameSync(draft, to),
    discard,
  };
}

/** Links the files into a folder as well. Returns the folder; null without files. */
function keep(files: readonly string[], folder: string): string | null {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) return null;
  makeDirectory(folder);
  for (const file of present) {
    const kept = join(folder, basename(file));
    try {
      linkSync(file, kept);
    } catch {
      // Not every file system has hard links.
      copyFileSync(file, kept);
      syncFile(kept);
    }
  }
  syncDirectory(folder);
  return folder;
}

function differs(file: string, present: string): boolean {
  return existsSync(file) && !(existsSync(present) && readFileSync(file).equals(readFileSync(present)));
}

function refuseUnlessBackup(folder: string, directory: string): void {
  const store = storeFile(folder);
  if (resolve(folder) === resolve(directory)) throw new BackupRefused(`The folder ${folder} is the data directory itself.`);
  if (!existsSync(store)) throw new BackupRefused(`The folder ${folder} holds no backup: it has no ${basename(store)}.`);
  const log = `${store}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new BackupRefused(`The folder ${folder} is no backup but a data directory: a start on it reads ${basename(log)} too.`);
}
