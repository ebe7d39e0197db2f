import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';

const folder = join(root, '.bench');
const built = join(root, 'dist/apps/gateway');
const copy = join(folder, 'apps/gateway');

export const programs = join(root, 'tools/bench/programs');
export const limits = join(root, 'tools/bench/limits');
export const results = { local: join(folder, 'results.json'), kept: join(root, 'tools/bench/results.json') };

/** A file of the build under test. */
export const compiled = (path) => join(copy, path);

/** Measures a copy of the build, so that nobody who builds meanwhile changes what is measured. */
export function copyBuild() {
  const stamp = '.built-from';
  const stampOf = (place) => (existsSync(join(place, stamp)) ? readFileSync(join(place, stamp), 'utf8') : null);
  if (stampOf(copy) !== null && stampOf(copy) === stampOf(built)) return;
  const fresh = `${copy}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(folder, 'apps'), { recursive: true });
  cpSync(built, fresh, { recursive: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(fresh, copy);
}

/** An empty folder on the disk that the results are about; temporary folders are often held in memory. */
export function freshFolder(name) {
  const path = join(folder, 'run', name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Where data that is worth keeping between runs lies. */
export const keptFolder = (name) => join(folder, 'data', name);
