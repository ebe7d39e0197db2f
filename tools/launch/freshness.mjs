import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const buildInputs = ['apps', 'libs', 'tsconfig.json', 'nest-cli.json', 'package-lock.json', 'tools/bundle.mjs', 'tools/console'];
const neverBuilt = /(\.spec\.ts|\.contract\.ts|\.md)$/;

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Compares the lock file with npm's own record, and checks that each package exists. */
export function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  const isThere = (path, { version, integrity }) =>
    installed[path].version === version && installed[path].integrity === integrity && existsSync(`${root}/${path}/package.json`);
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, wanted]) => path === '' || (installed[path] ? isThere(path, wanted) : wanted.optional === true),
  );
}

function filesUnder(root, path) {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(root, inner) : [inner];
  });
}

export function fingerprint(root) {
  const files = buildInputs.flatMap((path) => (path.includes('.') ? [path] : filesUnder(root, path)));
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !neverBuilt.test(name))) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
