import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findGo } from '../compose/go.mjs';
import { callEnvironment, callsOf, checkCalls } from './calls.mjs';
import { outputOf } from './program.mjs';

export async function checkGoClient(check, { folder, service }) {
  const client = join(folder, 'go');
  const go = async (...args) => outputOf(await findGo(), args, { cwd: client, env: callEnvironment(service) });
  await check('Go: the client compiles', () => go('build', '-buildvcs=false', './...'));
  await checkCalls(check, 'Go', () => {
    mkdirSync(join(client, 'calls'), { recursive: true });
    copyFileSync(callsOf('calls.go'), join(client, 'calls/main.go'));
    return go('run', '-buildvcs=false', './calls');
  });
}
