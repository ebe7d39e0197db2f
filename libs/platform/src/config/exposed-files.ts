import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';
import { KEY_FILE } from './installation-key.js';

const OTHERS = 0o077;
const OF_DIRECTORY = 0o700;
const OF_FILE = 0o600;

/** Warnings about files of the data directory that other users may read or change. */
export function exposedFiles({ dataDir, engine }: Pick<Config, 'dataDir' | 'engine'>): readonly string[] {
  // Windows has no such file modes.
  if (engine === 'cluster' || process.platform === 'win32') return [];
  return [exposed(dataDir, OF_DIRECTORY), exposed(join(dataDir, KEY_FILE), OF_FILE)].flat();
}

function exposed(path: string, wanted: number): string[] {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return [];
  return [`DATA_DIR: other users may get at ${path}, whose mode is ${octal(mode)}; it should be ${octal(wanted)}`];
}

function octal(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`;
}
