import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../launch/run.mjs';

/** Where the bench keeps what it makes. */
export const folder = join(root, '.bench');
export const programs = join(root, 'tools/bench/programs');
export const limits = join(root, 'tools/bench/limits');
export const results = { local: join(folder, 'results.json'), kept: join(root, 'tools/bench/results.json') };
export const clusterResults = join(root, 'tools/bench/cluster/results.json');

/** Where a checkout puts its compiled service; within that, what is run and what programs of the bench load from it. */
export const BUILD = 'dist/apps/gateway';
export const MAIN = 'bundle/main.js';
const LIBRARIES = 'libs';

/** Compiled modules by every name that their file has had, the newest first. They are found in whatever folder they lie. */
const MODULES = {
  engine: ['open-embedded-engine.js'],
  cluster: ['open-cluster-engine.js'],
  clock: ['clock.system.js'],
  ids: ['ids.ulid.js'],
  appointments: ['appointment.decider.js'],
  deliveries: ['deliveries.decider.js'],
  emittedEvents: ['emitted-events.js'],
  conversations: ['conversations.projection.js'],
};

/** The path of a compiled module within a build, or undefined where that build has none. */
export function moduleIn(build, name) {
  const files = readdirSync(join(build, LIBRARIES), { recursive: true });
  const found = MODULES[name].map((wanted) => files.find((file) => basename(file) === wanted));
  const path = found.find((file) => file !== undefined);
  return path && join(build, LIBRARIES, path);
}

export async function loadFrom(build, name) {
  const path = moduleIn(build, name);
  if (!path) throw new Error(`${build} has none of ${MODULES[name].join(', ')}`);
  return import(path);
}

/** The embedded engine of a build, opened on a directory, and the clock it was given. */
export async function openEngine(build, directory) {
  const { openEmbeddedEngine } = await loadFrom(build, 'engine');
  const { SystemClock } = await loadFrom(build, 'clock');
  const clock = new SystemClock();
  return { ...(await openEmbeddedEngine(directory, clock)), clock };
}

/** The cluster engine of a build, opened on servers, and the clock it was given. */
export async function openCluster(build, servers) {
  const { openClusterEngine } = await loadFrom(build, 'cluster');
  const { Logger } = await import('@nestjs/common');
  // A program's output is what it found.
  Logger.overrideLogger(['error']);
  const { SystemClock } = await loadFrom(build, 'clock');
  const clock = new SystemClock();
  return { ...(await openClusterEngine(servers, { needs: [] }, clock)), clock };
}

/** An empty folder on the disk that the results are about; temporary folders are often held in memory. */
export function freshFolder(name) {
  const path = join(folder, 'run', name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Where a build's data that is worth keeping between runs lies. */
export const keptFolder = (build, name) => join(folder, 'data', build.name, name);
