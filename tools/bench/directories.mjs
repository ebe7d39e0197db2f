import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { freshFolder, keptFolder } from './builds.mjs';
import { Admin, caughtUp } from './client.mjs';
import { runProgram, startService } from './processes.mjs';

/** A million events: as many conversations alone, or a quarter of them, each with a message and its reply. */
const SHAPES = {
  rows: { conversations: 1_000_000, withMessages: false },
  turns: { conversations: 250_000, withMessages: true },
  idle: { conversations: 100_000, withMessages: false },
  deliveries: { program: 'fill-deliveries.mjs', count: 1_000_000 },
};

/** A data directory whose events are not projected yet. */
export async function unprojectedDirectory(build, { program = 'fill.mjs', ...shape }, name) {
  const directory = freshFolder(name);
  const service = await startService(build, directory);
  const { data } = await (await Admin.of(service)).ask('GET', '/admin/v1/projects');
  await service.stop();
  await runProgram(program, { build: build.path, directory, projectId: data[0].id, ...shape });
  return directory;
}

/** A data directory of this shape that is kept between runs: whoever writes to it takes a copy. */
export async function filledDirectory(build, name) {
  const kept = keptFolder(build, name);
  if (existsSync(kept)) return kept;
  process.stderr.write(`Filling a data directory (${name}) by ${build.name}; it is kept for later runs …\n`);
  const fresh = await unprojectedDirectory(build, SHAPES[name], `filling-${name}`);
  const service = await startService(build, fresh);
  await caughtUp(service);
  await service.stop();
  mkdirSync(dirname(kept), { recursive: true });
  renameSync(fresh, kept);
  return kept;
}

/** A copy that may be written to. */
export async function copyOf(build, name) {
  const source = await filledDirectory(build, name);
  const copy = freshFolder(`copy-${build.key}`);
  cpSync(source, copy, { recursive: true });
  return copy;
}
