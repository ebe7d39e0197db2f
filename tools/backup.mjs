/**
 * Backs up a service into a missing or empty folder:
 *   npm run backup -- <folder> [--with-key] [--url http://127.0.0.1:3000]
 * A running service does it, with the password in ADMIN_PASSWORD; if none answers, DATA_DIR is copied.
 *   npm run backup -- --restore <folder>
 * restores a backup into DATA_DIR of a stopped service, and keeps what it replaces.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { AdminClient, isAddress, usualAddress } from './launch/admin-client.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const USAGE = 'Usage: npm run backup -- <folder> [--with-key] [--url <address of the running service>], or -- --restore <folder>';
const program = fileURLToPath(new URL('../dist/apps/gateway/bundle/admin.js', import.meta.url));

function readArguments() {
  const options = { 'with-key': { type: 'boolean', default: false }, url: { type: 'string' }, restore: { type: 'string' } };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const isRestore = values.restore !== undefined;
    const [folder, ...more] = isRestore ? [values.restore, ...positionals] : positionals;
    const url = values.url ?? usualAddress(process.env);
    if (!folder || more.length > 0 || !isAddress(url)) throw new Error(USAGE);
    if (isRestore && (values['with-key'] || values.url !== undefined)) throw new Error(USAGE);
    // npm runs scripts in the folder of package.json; a path is relative to where the command was typed.
    const typedIn = process.env.npm_lifecycle_event === 'backup' ? process.env.INIT_CWD : process.cwd();
    return { folder: resolve(typedIn ?? '.', folder), isRestore, withKey: values['with-key'], url };
  } catch {
    throw new Error(USAGE);
  }
}

async function isRunning(service) {
  try {
    await service.ask('GET', '/health');
    return true;
  } catch (error) {
    if (error.cause?.code === 'ECONNREFUSED') return false;
    throw error;
  }
}

async function askRunning(service, folder, withKey) {
  const { bytes } = await service.inSession(() => service.ask('POST', '/admin/v1/backup', { folder, with_key: withKey }));
  return bytes;
}

async function copyStopped(folder, withKey) {
  return Number(await runAdmin('backup', folder, ...(withKey ? ['--with-key'] : [])));
}

async function runAdmin(...args) {
  endWithSteps(1);
  await prepare();
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]).catch(({ stderr, message }) => {
    throw new Error(stderr?.trim() || message);
  });
  return stdout;
}

async function run() {
  const { folder, isRestore, withKey, url } = readArguments();
  if (isRestore) return process.stdout.write(await runAdmin('restore', folder));
  const service = new AdminClient(url);
  const bytes = (await isRunning(service)) ? await askRunning(service, folder, withKey) : await copyStopped(folder, withKey);
  console.log(`Backed up into ${folder}: ${(bytes / 1e6).toFixed(1)} MB, checked.`);
  if (withKey) console.log('It holds secrets.key: who has the copy can read every secret in it.');
  else
    console.log('The key (secrets.key, or SECRETS_KEY) is not in it, and without the key it cannot be used: keep the key apart.');
}

run().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
