import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';
import { stagesOf } from './dockerfile.mjs';
import { copyContext, runStages } from './stages.mjs';
import { refusal, serve } from './started-app.mjs';

/** Accepted by our checks but not by the driver: the start fails at once, after loading the drivers. */
const UNREADABLE = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false&nodePreference=nobody' };

async function build(folder) {
  const context = join(folder, 'context');
  mkdirSync(context);
  copyContext(context);
  return runStages(stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8')), context, folder);
}

async function serves({ command }, stage, folder) {
  const DATA_DIR = join(folder, 'data');
  mkdirSync(DATA_DIR);
  chmodSync(DATA_DIR, 0o777);
  const whole = command.filter((word) => word !== '--alone');
  await serve(whole, stage, { ENGINE: 'embedded', PORT: '0', DATA_DIR, LOG_LEVEL: 'error' }, [
    '/ready',
    '/docs',
    '/openapi.json',
  ]);
}

async function loadsItsDrivers({ command, environment }, stage) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== null));
  const said = await refusal(command, stage, { ...set, ...UNREADABLE });
  if (!/^EVENTSTORE_URL: .* that the driver accepts$/m.test(said)) throw new Error(`it says: ${said}`);
}

/** By name, in order: the first builds what the others start. A check rejects if it fails. */
export function imageChecks(services, folder) {
  let stage;
  const built = () => {
    if (stage === undefined) throw new Error('there is no image to start it from');
    return stage;
  };
  const drivers = ['gateway', 'projections', 'delivery'].map((app) => [
    `${app} finds the packages of the cluster engine in the image`,
    () => loadsItsDrivers(services[app], built()),
  ]);
  return [
    ['the Dockerfile builds from the tracked files', async () => (stage = await build(folder))],
    ['the whole service serves from the image, as its user', () => serves(services.gateway, built(), folder)],
    ...drivers,
  ];
}
