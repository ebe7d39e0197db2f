import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ADMIN_PASSWORD } from './gateway-process.mjs';

const ADMIN = '/admin/v1';
/** Many times what a few minutes of events take. */
const VERIFIED_WITHIN_MS = 300_000;

async function asked(url, method, path, { token, body } = {}) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url + ADMIN + path, init);
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}`);
  return response.json();
}

async function inSession(service, work) {
  const url = await service.address();
  const { token } = await asked(url, 'POST', '/login', { body: { password: ADMIN_PASSWORD } });
  return work((method, path) => asked(url, method, path, { token }));
}

/** Has every read model made anew, by a task. */
export function rebuildAll(service) {
  return inSession(service, (ask) => ask('POST', '/projections/rebuild'));
}

/** What became of the tasks of the installation, where they are not completed. */
export async function uncompletedRebuilds(service) {
  const { data } = await inSession(service, (ask) => ask('GET', '/tasks?limit=100'));
  return data
    .filter(({ status }) => status !== 'completed')
    .map(({ id, status, error }) => `${id} is ${status}: ${error?.message}`);
}

/** What the workbench, which folds the log into a folder of its own, finds to differ in the service's rows. */
export async function differences(service, folder) {
  const words = ['verify', '--url', await service.address(), '--folder', join(folder, 'workbench')];
  const env = { ...process.env, ADMIN_PASSWORD };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(service.bundle, 'workbench.js'), ...words],
      { env, timeout: VERIFIED_WITHIN_MS },
      (error, stdout, stderr) => {
        const told = stdout.split('\n').filter((line) => line.includes('"culprit"'));
        resolve(error === null ? [] : [...told, `verify ended with ${error.code ?? error.signal}: ${stderr.slice(0, 1_000)}`]);
      },
    );
  });
}
