import { closeSync, copyFileSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BackupRefused } from '@ports/engine.port';
import { makeDirectory, syncDirectory, syncFile } from '../make-directory.js';
import { storeFile } from '../writer/store-file.js';

const SIDE_FILE_SUFFIXES = ['-journal', '-wal', '-shm'];

/** The folder of a backup in progress: files get their final names when complete. */
export interface BackupFolder {
  readonly draft: string;
  /** Renames the copied store, and resolves once the folder survives a power cut. */
  finish(): void;
  discard(): void;
}

/** Starts a backup with files of a data directory. Throws `BackupRefused`, and leaves the folder unchanged. */
export function openBackupFolder(folder: string, directory: string, files: readonly string[]): BackupFolder {
  const isNew = refuseUnlessFree(folder);
  const store = storeFile(folder);
  const draft = `${store}.partial`;
  attempt(folder, 'cannot be made', () => makeDirectory(folder));
  // Of two backups into one folder the second fails here, before it could discard anything.
  attempt(folder, 'cannot be written', () => closeSync(openSync(draft, 'wx', 0o600)));
  const discard = () => {
    for (const name of [
      ...files,
      basename(draft),
      ...SIDE_FILE_SUFFIXES.map((end) => `${basename(draft)}${end}`),
      basename(store),
    ]) {
      rmSync(join(folder, name), { force: true });
    }
    if (isNew && readdirSync(folder).length === 0) rmdirSync(folder);
  };
  try {
    for (const file of files) take(file, directory, folder);
  } catch (error) {
    discard();
    throw error;
  }
  const finish = () => {
    renameSync(draft, store);
    syncDirectory(folder);
  };
  return { draft, finish, discard };
}

function take(file: string, directory: string, folder: string): void {
  const copy = join(folder, file);
  attempt(folder, `cannot take the file ${file} of ${directory}`, () => copyFileSync(join(directory, file), copy));
  syncFile(copy);
}

function refuseUnlessFree(folder: string): boolean {
  const found = attempt(folder, 'cannot be looked at', () => statSync(folder, { throwIfNoEntry: false }));
  if (found === undefined) return true;
  if (!found.isDirectory()) throw new BackupRefused(`The folder ${folder} is a file: name a folder that is missing or empty.`);
  const isEmpty = attempt(folder, 'cannot be read', () => readdirSync(folder)).length === 0;
  if (!isEmpty) throw new BackupRefused(`The folder ${folder} is not empty: name one that is missing or empty.`);
  return false;
}

function attempt<Result>(folder: string, complaint: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new BackupRefused(`The folder ${folder} ${complaint}: ${(error as Error).message}.`, { cause: error });
  }
}
