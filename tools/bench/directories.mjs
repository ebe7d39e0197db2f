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
export async function filledDirectory(name) {
  const kept = keptFolder(name);
  if (!existsSync(kept)) {
    process.stderr.write(`Filling a data directory (${name}); it is kept for later runs …\n`);
    const fresh = freshFolder(`filling-${name}`);
    await fill(fresh, SHAPES[name]);
    mkdirSync(dirname(kept), { recursive: true });
    renameSync(fresh, kept);
  }
  return kept;
}

/** The same, but with no row projected yet. */
export async function unprojectedDirectory(shape, name) {
  const directory = freshFolder(name);
  await append(directory, shape);
  return directory;
}

/** A copy that may be written to. */
export async function copyOf(name) {
  const source = await filledDirectory(name);
  const copy = freshFolder(`copy-${name}`);
  rmSync(copy, { recursive: true });
  cpSync(source, copy, { recursive: true });
  return copy;
}

async function append(directory, shape) {
  const service = await startService(directory);
  const admin = await Admin.of(service);
  const projectId = await admin.firstProject();
  await service.stop();
  await runProgram('fill.mjs', { directory, projectId, ...shape });
}

async function fill(directory, shape) {
  await append(directory, shape);
  const service = await startService(directory);
  const admin = await Admin.of(service);
  while (!(await admin.isCaughtUp())) await pause(500);
  await service.stop();
}
