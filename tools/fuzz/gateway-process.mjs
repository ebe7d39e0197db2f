import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';
import { root } from '../launch/run.mjs';

const main = join(root, 'dist/apps/gateway/bundle/main.js');
const apiKey = 'sk_fuzz_0123456789abcdefghijklmnop';

const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  BOOTSTRAP_API_KEY: apiKey,
  ADMIN_PASSWORD: 'a password of the fuzz',
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  LOG_LEVEL: 'error',
};

/** Without rate limits. */
export async function startService(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(process.execPath, [main], { env: { ...settings, DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let logged = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (logged += text));
  const url = await addressOf(child).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    apiKey,
    serverErrors: () =>
      logged
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, 20),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
