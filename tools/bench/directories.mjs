import { cpSync, existsSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Admin } from './admin.mjs';
import { freshFolder, keptFolder } from './places.mjs';
import { runProgram, startService } from './processes.mjs';

/** A million events: as many conversations alone, or a quarter of them, each with a message and its reply. */
const SHAPES = {
  rows: { conversations: 1_000_000, withMessages: false },
  turns: { conversations: 250_000, withMessages: true },
  fewRows: { conversations: 10_000, withMessages: false },
  idle: { conversations: 100_000, withMessages: false },
};

/** A directory of this shape that is kept between runs; it is read, or copied before anybody writes to it. */
export async function filledDirectory(build, name) {
  const kept = keptFolder(build, name);
  if (!existsSync(kept)) {
    process.stderr.write(`Filling a data directory (${name}) by ${build.name}; it is kept for later runs …\n`);
    const fresh = freshFolder(`filling-${name}`);
    await fill(build, fresh, SHAPES[name]);
    mkdirSync(dirname(kept), { recursive: true });
    renameSync(fresh, kept);
  }
  return kept;
}

/** The same, but with no row projected yet. */
export async function unprojectedDirectory(build, shape, name) {
  const directory = freshFolder(name);
  await append(build, directory, shape);
  return directory;
}

/** A copy that may be written to. */
export async function copyOf(build, name) {
  const source = await filledDirectory(build, name);
  const copy = freshFolder(copyName(build, name));
  rmSync(copy, { recursive: true });
  cpSync(source, copy, { recursive: true });
  return copy;
}

/** Its room on the disk is given back. */
export const dropCopy = (build, name) => freshFolder(copyName(build, name));

const copyName = ({ key }, name) => `copy-${name}-${key}`;

async function append(build, directory, shape) {
  const service = await startService(build, directory);
  const admin = await Admin.of(service);
  const projectId = await admin.firstProject();
  await service.stop();
  await runProgram('fill.mjs', { build: build.path, directory, projectId, ...shape });
}

async function fill(build, directory, shape) {
  await append(build, directory, shape);
  const service = await startService(build, directory);
  const admin = await Admin.of(service);
  while (!(await admin.isCaughtUp())) await pause(500);
  await service.stop();
}
