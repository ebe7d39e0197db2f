import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { History } from './data-directories/history.mjs';
import { Release } from './data-directories/release.mjs';
import { root } from './launch/run.mjs';

/**
 * Makes the data directories of a release, which must be built in another checkout, in test/data-directories/<version>:
 * node tools/data-directories.mjs <checkout> <version>
 */
const [checkout, version] = process.argv.slice(2);
if (!checkout || !version) throw new Error('Usage: node tools/data-directories.mjs <checkout of the release, built> <version>');
const main = join(resolve(checkout), 'dist/apps/gateway/bundle/main.js');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
const target = join(root, 'test/data-directories', version);
mkdirSync(target, { recursive: true });

for (const end of ['closed', 'killed']) {
  const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
  const release = new Release(main, join(folder, end));
  try {
    const history = await new History(release).make();
    await (end === 'closed' ? release.stop() : release.kill());
    execFileSync('tar', ['-czf', join(target, `${end}.tar.gz`), '-C', folder, end]);
    writeFileSync(join(target, `${end}.json`), `${JSON.stringify({ commit, madeAt: Date.now(), ...history }, null, 1)}\n`);
  } finally {
    await release.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
