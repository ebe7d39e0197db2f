import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KAFKA } from './kafka/kafka.mjs';
import { EVENTSTOREDB } from './eventstoredb/eventstoredb.mjs';
import { MONGODB } from './mongodb/mongodb.mjs';

/**
 * Every engine that is run from here: the variable that replaces it by a server of the caller's, what of this machine it lacks,
 * its installation, and its start.
 */
const ENGINES = [EVENTSTOREDB, KAFKA, MONGODB];

const owned = () => ENGINES.filter(({ variable }) => !process.env[variable]);

/** What is missing on this machine to run the engines that no variable replaces, a line each. */
export function missing() {
  return owned().flatMap(({ name, variable, gaps }) =>
    gaps().map((gap) => `cluster engines: ${name}: ${gap}, or set ${variable}.`),
  );
}

/**
 * Installs what is missing and starts every engine that no variable replaces. Resolves to the variables that lead to all of
 * them, and to `stop`, which ends them and removes their data.
 */
export async function startEngines() {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  const started = await Promise.allSettled(
    owned().map(async ({ name, variable, provision, start }) => {
      await provision();
      return { variable, engine: await start({ directory: join(folder, name) }) };
    }),
  );
  const running = started.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
  const stop = async () => {
    await Promise.all(running.map(({ engine }) => engine.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { variables: Object.fromEntries(running.map(({ variable, engine }) => [variable, engine.url])), stop };
}
