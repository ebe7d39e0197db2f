import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Imports a compiled module of a build, in whatever folder its file lies. */
export function loadFrom(build, file) {
  const libraries = join(build, 'libs');
  const path = readdirSync(libraries, { recursive: true }).find((one) => basename(one) === file);
  if (!path) throw new Error(`${build} has no ${file}`);
  return import(join(libraries, path));
}

/** The embedded engine of a build, opened on a directory, and the clock it was given. */
export async function openEngine(build, directory) {
  const { openEmbeddedEngine } = await loadFrom(build, 'open-embedded-engine.js');
  const { SystemClock } = await loadFrom(build, 'clock.system.js');
  const clock = new SystemClock();
  return { ...(await openEmbeddedEngine(directory, clock)), clock };
}
