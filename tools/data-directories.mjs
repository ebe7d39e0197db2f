import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ClusterRelease } from './data-directories/cluster-release.mjs';
import { dumpServers } from './data-directories/dump-servers.mjs';
import { EmbeddedRelease } from './data-directories/embedded-release.mjs';
import { History } from './data-directories/history.mjs';
import { root } from './launch/run.mjs';

/**
 * Makes what a release has stored, in test/data-directories/<version>; the release must be built in another checkout:
 * node tools/data-directories.mjs <checkout> <version> [closed] [killed] [cluster]
 */
const [checkout, version, ...named] = process.argv.slice(2);
if (!checkout || !version)
  throw new Error('Usage: node tools/data-directories.mjs <checkout, built> <version> [closed] [killed] [cluster]');
const bundle = join(resolve(checkout), 'dist/apps/gateway/bundle');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
const target = join(root, 'test/data-directories', version);
mkdirSync(target, { recursive: true });

/** Version 0.1.0 told small talk again from the stream. */
const keepsAll = version !== '0.1.0';

/** How a release ends, by the name of what it leaves in the folder. */
const ENDS = {
  closed: { Release: EmbeddedRelease, end: (release) => release.stop() },
  killed: { Release: EmbeddedRelease, end: (release) => release.kill() },
  cluster: { Release: ClusterRelease, end: dumped },
};

for (const name of named.length > 0 ? named : Object.keys(ENDS)) {
  const { Release, end } = ENDS[name];
  const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
  const stored = join(folder, name);
  mkdirSync(stored);
  const release = new Release(bundle, Release === ClusterRelease ? join(folder, 'engines') : stored);
  try {
    const history = await new History(release, { keepsAll }).make();
    await end(release, stored);
    execFileSync('tar', ['-czf', join(target, `${name}.tar.gz`), '-C', folder, name]);
    writeFileSync(join(target, `${name}.json`), `${JSON.stringify({ commit, madeAt: Date.now(), ...history }, null, 1)}\n`);
  } finally {
    await release.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dumped(release, folder) {
  await release.stop();
  await dumpServers(release, folder);
}
