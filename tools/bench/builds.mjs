import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { root } from '../launch/run.mjs';
import { BUILD, folder, MAIN, moduleIn } from './places.mjs';

/** A compiled service: that of this checkout, or the one that it is measured against. */
class Build {
  /**
   * @param key what it is called among the contestants: `ours` or `against`
   * @param name what a reader calls it: `ours` or a commit
   */
  constructor(key, name, checkout, path) {
    Object.assign(this, { key, name, path, main: join(path, MAIN) });
    /** How `npm start` of that checkout runs Node. */
    this.nodeOptions = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).scripts.start.match(/--\S+/g) ?? [];
  }

  lacks(modules) {
    return modules.filter((name) => !moduleIn(this.path, name));
  }
}

/** A copy of this checkout's build, so that nobody who builds meanwhile changes what is measured. */
export function ownBuild() {
  const built = join(root, BUILD);
  const copy = join(folder, 'apps/gateway');
  const stampOf = (place) => {
    const stamp = join(place, '.built-from');
    return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  };
  if (stampOf(copy) === null || stampOf(copy) !== stampOf(built)) {
    const fresh = `${copy}.fresh`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(built, fresh, { recursive: true });
    rmSync(copy, { recursive: true, force: true });
    renameSync(fresh, copy);
  }
  return new Build('ours', 'ours', root, copy);
}

/** Another checkout's build, made there first where it is stale, and run from there with the packages it was made with. */
export function buildOf(checkout) {
  const place = resolve(checkout);
  execFileSync(process.execPath, [join(place, 'tools/build.mjs')], { cwd: place, stdio: ['ignore', 2, 2] });
  return new Build('against', commitOf(place), place, join(place, BUILD));
}

function commitOf(place) {
  try {
    const output = execFileSync('git', ['-C', place, 'rev-parse', '--short=7', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return output.toString().trim();
  } catch {
    return basename(place);
  }
}
