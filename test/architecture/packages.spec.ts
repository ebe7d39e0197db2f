import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { admits } from '../../tools/launch/node-version.mjs';
import { root } from './planted-tree.js';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly resolved?: string; readonly integrity?: string }>
  >;
}

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(text('package.json')) as Manifest;
const lock = JSON.parse(text('package-lock.json')) as Lock;
/** A package under an alias is pinned as `npm:<name>@<version>`. */
const pinned = ([name, version]: [string, string]) => [name, version.replace(/^npm:.+@/, '')];
const direct: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(pinned),
);

/** The names in the first column of the table of dependencies. */
function explained(): readonly string[] {
  const lines = text('docs/dependencies.md').split('\n');
  const firstCells = lines.map((line) => /^\| ([^|]*) \|/.exec(line)?.[1] ?? '');
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));
}

describe('the packages we stand on', () => {
  it('are pinned to one version each', () => {
    const loose = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  it('are locked at the version that is pinned', () => {
    const locked = Object.keys(direct).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(locked)).toEqual(direct);
  });

  it('are locked by content, not by where they were downloaded from', () => {
    const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  it('are each explained in docs/dependencies.md, and no other is', () =>
    expect([...explained()].sort()).toEqual(Object.keys(direct).sort()));
});

describe('the versions of Node', () => {
  const { node } = manifest.engines;

  it('include the one recommended and the one that runs this test', () => {
    expect(admits(node, text('.nvmrc').trim())).toBe(true);
    expect(admits(node, process.versions.node)).toBe(true);
  });

  it.each([
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('%s: %s', (version, isAdmitted) => expect(admits(node, version)).toBe(isAdmitted));

  it('are given as a range that the launcher can read', () => expect(() => admits('~20.1', '20.1.0')).toThrow('cannot read'));
});

describe('nest-cli.json', () => {
  it('declares every app and every library', () => {
    const { projects } = JSON.parse(text('nest-cli.json')) as { projects: Readonly<Record<string, { readonly root: string }>> };
    const folders = ['apps', 'libs'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
    expect(
      Object.values(projects)
        .map((project) => project.root)
        .sort(),
    ).toEqual(folders.sort());
  });
});
