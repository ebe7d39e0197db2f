import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';
import { prepare } from '../launch/prepare.mjs';
import { root } from '../launch/run.mjs';

const main = 'dist/apps/gateway/bundle/main.js';

export const localHooks = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

async function startOwn() {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const key = `sk_${randomBytes(24).toString('hex')}`;
  const settings = { ...localHooks, AGENT: 'scripted', DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_API_KEY: key };
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [join(root, main)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', () => {
    child.kill('SIGKILL');
    discard();
  });
  const url = await addressOf(child);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    discard();
  };
  return { url, key, isOurs: true, stop };
}

/** The service of BASE_URL and API_KEY, or a temporary one. */
export async function openService({ BASE_URL, API_KEY } = process.env) {
  if (!BASE_URL) return startOwn();
  if (!API_KEY) throw new Error('BASE_URL is set: set API_KEY too, to a key of that service with every scope.');
  return { url: BASE_URL.replace(/\/$/, ''), key: API_KEY, isOurs: false, stop: async () => undefined };
}
