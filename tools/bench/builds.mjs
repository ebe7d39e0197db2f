import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../launch/run.mjs';

const folder = join(root, '.bench');
const BUILD = 'dist/apps/gateway';

/** A compiled service. `key` names it among the contestants, `name` is what a reader calls it. */
function build(key, name, checkout, path) {
  const { start } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).scripts;
  return { key, name, path, main: join(path, 'bundle/main.js'), nodeOptions: start.match(/--\S+/g) ?? [] };
}

/** A copy of this checkout's build: a build that is made meanwhile does not change what is measured. */
export function ownBuild() {
  const copy = join(folder, `build-${process.pid}`);
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(root, BUILD), copy, { recursive: true });
  return build('ours', 'ours', root, copy);
}

/** Another checkout's build, made there first if it is stale, and run from there with that checkout's packages. */
export function buildOf(checkout) {
  const place = resolve(checkout);
  execFileSync(process.execPath, [join(place, 'tools/build.mjs')], { cwd: place, stdio: ['ignore', 2, 2] });
  const commit = execFileSync('git', ['-C', place, 'rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' }).trim();
  return build('against', commit, place, join(place, BUILD));
}

/** An empty folder on the disk that the results are about; temporary folders are often held in memory. */
export function freshFolder(name) {
  const path = join(folder, 'run', name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Where a build's data lies that is kept between runs. */
export const keptFolder = ({ name }, shape) => join(folder, 'data', name, shape);
