import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates a directory and its parents, for the owner only and durably. Node's recursive `mkdirSync` never returns in /proc. */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const above = dirname(resolve(path));
  if (above !== path) makeDirectory(above);
  makeOne(path);
  syncDirectory(above);
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** File contents survive a power cut only after a sync. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

/** New names survive a power cut only after a sync of the directory. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
