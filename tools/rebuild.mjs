/**
 * Shows the state of the read models of a running service, or rebuilds some of them:
 *   node tools/rebuild.mjs [--url http://127.0.0.1:3000] [--all | name …]
 * The admin password is taken from ADMIN_PASSWORD.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AdminClient, isAddress } from './launch/admin-client.mjs';

const LOOK_EVERY_MS = 500;

function endWith(line) {
  console.error(line);
  process.exit(1);
}

function readArguments() {
  const options = { url: { type: 'string', default: 'http://127.0.0.1:3000' }, all: { type: 'boolean', default: false } };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return endWith(`${error.message.split('. ')[0]}. Known are --url <address>, --all and names of read models.`);
  }
}

const { values, positionals } = readArguments();
if (!isAddress(values.url)) {
  endWith(`--url must be the address of a running service such as http://127.0.0.1:3000, but is ${JSON.stringify(values.url)}.`);
}
const admin = new AdminClient(values.url);

async function standing() {
  return (await admin.ask('GET', '/admin/v1/projections')).data;
}

function show(projections) {
  const widest = Math.max(...projections.map(({ name }) => name.length));
  for (const { name, checkpoint, head, lag_ms: lag, rebuild, quarantined } of projections) {
    const parts = [lag === 0 ? 'up to date' : `${lag} ms behind (${checkpoint} of ${head})`];
    if (rebuild?.state === 'running') parts.push(`rebuilding, ${rebuild.percent} %`);
    if (quarantined > 0) parts.push(`${quarantined} events skipped`);
    console.log(`${name.padEnd(widest)}  ${parts.join(', ')}`);
  }
}

/** Rebuilds one read model and waits for it, so that rebuilds do not compete for the disk. */
async function rebuild(name) {
  const started = Date.now();
  await admin.ask('POST', `/admin/v1/projections/${encodeURIComponent(name)}/rebuild`);
  for (;;) {
    const { rebuild: state } = (await standing()).find((projection) => projection.name === name);
    if (state?.state === 'done') return console.log(`${name}: rebuilt in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    if (state?.state !== 'running')
      throw new Error(`The rebuild of ${name} was given up; the service's log says why. The rows are as before.`);
    console.log(`${name}: ${state.percent} %`);
    await wait(LOOK_EVERY_MS);
  }
}

async function run() {
  const projections = await standing();
  const known = projections.map(({ name }) => name);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No such read model: ${unknown.join(', ')}. Known are ${known.join(', ')}.`);
  const names = values.all ? known : positionals;
  if (names.length === 0) return show(projections);
  for (const name of names) await rebuild(name);
}

admin.inSession(run).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
