import { existsSync } from 'node:fs';
import { run } from '../launch/run.mjs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
const APT_GET = '/usr/bin/apt-get';

/** The path of Chromium: the one that `CHROMIUM` names, else an installed one; null where there is none. */
export function findChromium({ given = process.env.CHROMIUM, isThere = existsSync } = {}) {
  const places = given ? [given] : INSTALLED;
  return places.find((path) => isThere(path)) ?? null;
}

const mayInstall = () => !process.env.CHROMIUM && process.getuid?.() === 0 && existsSync(APT_GET);

/** Installs Debian's package where this process may. Resolves to the path, or to null. */
export async function installChromium() {
  if (!mayInstall()) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => run(APT_GET, ['-qq', ...args], { env, output: 'ignore' });
  await apt('update');
  await apt('-y', '--no-install-recommends', 'install', 'chromium');
  return findChromium();
}

/** What is missing, and what to do. */
export function chromiumGap() {
  const named = process.env.CHROMIUM ? `CHROMIUM names ${process.env.CHROMIUM}, which is not there.` : 'Chromium is needed.';
  return `${named} Install it (apt-get install chromium), or set CHROMIUM to its path.`;
}
