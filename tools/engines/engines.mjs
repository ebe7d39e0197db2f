import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleaningUp } from '../launch/cleaning-up.mjs';
import { KAFKA } from './kafka/kafka.mjs';
import { killEngines } from './engine-process.mjs';
import { EVENTSTOREDB } from './eventstoredb/eventstoredb.mjs';
import { MONGODB } from './mongodb/mongodb.mjs';

/** Per engine: the variable that replaces it by the caller's server, missing requirements, installation and start. */
const ENGINES = [EVENTSTOREDB, KAFKA, MONGODB];

const owned = () => ENGINES.filter(({ variable }) => !process.env[variable]);

/** Missing requirements of engines that no variable replaces, one per line. */
export function missing() {
  return owned().flatMap(({ name, variable, gaps }) =>
    gaps().map((gap) => `cluster engines: ${name}: ${gap}, or set ${variable}.`),
  );
}

/** As `missing`, for the cluster tests: those that kill engines start their own, whatever the variables say. */
export function missingForTests() {
  return ENGINES.flatMap(({ name, gaps, gapsForTests = gaps }) =>
    gapsForTests().map((gap) => `cluster engines: ${name}: ${gap}.`),
  );
}

/** Why engines must not be killed: those of the caller, one per line. */
export function refuseServers() {
  return ENGINES.filter(({ variable }) => process.env[variable]).map(
    ({ variable }) => `${variable} names a server of yours, and this command kills its engines: unset it.`,
  );
}

/**
 * Installs and starts every engine that no variable replaces. Resolves to the engines by name, and the variables that lead to them.
 * @param others starters by engine name
 */
export async function startEach(folder, others = {}) {
  const started = await Promise.allSettled(
    owned().map(async ({ name, variable, provision, start }) => {
      await provision();
      return { name, variable, engine: await (others[name] ?? start)({ directory: join(folder, name) }) };
    }),
  );
  const running = started.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed) {
    await Promise.all(running.map(({ engine }) => engine.kill()));
    throw failed.reason;
  }
  return {
    engines: Object.fromEntries(running.map(({ name, engine }) => [name, engine])),
    variables: Object.fromEntries(running.map(({ variable, engine }) => [variable, engine.url])),
  };
}

/**
 * Runs `work` with engines in a temporary folder, then ends them and removes their data, even when the process exits meanwhile.
 * @param within the folder of that folder
 */
export async function withEngines(work, within = tmpdir()) {
  const folder = mkdtempSync(join(within, 'engines-'));
  const end = () => {
    killEngines();
    // A process being killed may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  return cleaningUp(async () => {
    const { engines, variables } = await startEach(folder);
    try {
      return await work(variables);
    } finally {
      await Promise.all(Object.values(engines).map((engine) => engine.kill()));
    }
  }, end);
}
