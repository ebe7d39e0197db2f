import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleaningUp } from '../launch/cleaning-up.mjs';
import { KAFKA } from './kafka/kafka.mjs';
import { killEngines } from './engine-process.mjs';
import { EVENTSTOREDB } from './eventstoredb/eventstoredb.mjs';
import { MONGODB } from './mongodb/mongodb.mjs';

/**
 * Every engine that is run from here: the variable that replaces it by a server of the caller's, what of this machine it lacks,
 * and what it lacks for the tests where those run more of its versions, its installation, and its start.
 */
const ENGINES = [EVENTSTOREDB, KAFKA, MONGODB];

const owned = () => ENGINES.filter(({ variable }) => !process.env[variable]);

/** What is missing on this machine to run the engines that no variable replaces, a line each. */
export function missing() {
  return owned().flatMap(({ name, variable, gaps }) =>
    gaps().map((gap) => `cluster engines: ${name}: ${gap}, or set ${variable}.`),
  );
}

/** What this machine lacks to run the cluster's tests, a line each. Tests that kill engines start their own, whatever the variables name. */
export function missingForTests() {
  return ENGINES.flatMap(({ name, gaps, gapsForTests = gaps }) =>
    gapsForTests().map((gap) => `cluster engines: ${name}: ${gap}.`),
  );
}

/** What forbids to kill and to restart engines: those of the caller, a line each. */
export function refuseServers() {
  return ENGINES.filter(({ variable }) => process.env[variable]).map(
    ({ variable }) => `${variable} names a server of yours, and this command kills its engines: unset it.`,
  );
}

/**
 * Installs what is missing and starts every engine that no variable replaces, with its data below the folder. Resolves to the
 * engines by name, and to the variables that lead to them.
 * @param others by the name of an engine, what starts it instead
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
 * As `startEach`, in a temporary folder: runs `work` with the variables that lead to the engines, then ends these and removes their
 * data, also when the process exits meanwhile.
 */
export async function withEngines(work) {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  const end = () => {
    killEngines();
    // What is being killed may still write.
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
