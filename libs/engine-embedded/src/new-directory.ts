import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory and those above it, each its owner's alone and safe from a power cut. Node's own recursive way never
 * comes back from a place where nothing can be made, such as /proc.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const above = dirname(resolve(path));
  if (above !== path) makeDirectory(above);
  makeOne(path);
  sync(above);
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

/** A new directory is only there after a power cut when the one above was synced. */
function sync(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
