import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../../launch/run.mjs';
import { EngineProcess } from '../engine-process.mjs';
import { freePort } from '../free-port.mjs';
import { install } from '../installation.mjs';
import { VERSIONS } from '../versions.mjs';
import { glibcGap, nodeWithGlibc } from './glibc.mjs';

const MANIFESTS = ['package.json', 'package-lock.json'];

const isSupported = () => ['linux x64', 'linux arm64', 'darwin arm64'].includes(`${process.platform} ${process.arch}`);

function gaps() {
  if (!isSupported()) return [`no build of it for ${process.platform} ${process.arch}`];
  const gap = process.platform === 'linux' ? glibcGap() : null;
  return gap === null ? [] : [gap];
}

/** Apart from this repository's packages, because its licence differs. */
async function provision() {
  const [gap] = gaps();
  if (gap !== undefined) throw new Error(`MongoDB: ${gap}`);
  const interpreter = process.platform === 'linux' ? await nodeWithGlibc() : [process.execPath];
  const packages = await install(`mongodb-${VERSIONS.embeddedMongodb}`, async (folder) => {
    for (const name of MANIFESTS) copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
    const code = await runNpm(['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], { output: 'ignore' });
    if (code !== 0) throw new Error(`MongoDB: npm ci ended with ${code}`);
  });
  return { interpreter, packages };
}

export async function startMongoDb({ directory }) {
  const port = await freePort();
  return EngineProcess.start(new URL('host.mjs', import.meta.url), { directory, port, ...(await provision()) });
}

export const MONGODB = { name: 'mongodb', variable: 'MONGODB_URL', gaps, provision, start: startMongoDb };
