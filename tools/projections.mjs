/**
 * Shows how far each read model of a running service is, or rebuilds those that are named, all of them where none is:
 *   npm run projections -- status | rebuild [name …] [--url http://127.0.0.1:3000]
 * The admin password is taken from ADMIN_PASSWORD.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AdminClient, isAddress, usualAddress } from './launch/admin-client.mjs';

const USAGE = 'Usage: npm run projections -- status | rebuild [name …] [--url <address of the running service>]';
const LOOK_EVERY_MS = 500;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { url: { type: 'string' } } });
    const [command, ...names] = positionals;
    const url = values.url ?? usualAddress(process.env);
    const isKnown = command === 'rebuild' || (command === 'status' && names.length === 0);
    if (isKnown && isAddress(url)) return { isRebuild: command === 'rebuild', names, url };
  } catch {
    // An unknown option.
  }
  console.error(USAGE);
  return process.exit(1);
}

const { isRebuild, names, url } = readArguments();
const admin = new AdminClient(url);

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
  if (!isRebuild) return show(projections);
  const known = projections.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No such read model: ${unknown.join(', ')}. Known are ${known.join(', ')}.`);
  for (const name of names.length > 0 ? names : known) await rebuild(name);
}

admin.inSession(run).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
