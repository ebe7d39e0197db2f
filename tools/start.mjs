// npm start: the whole service in one process; with gateway, projections or delivery, that part on the cluster engine.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const ENTRIES = { gateway: 'main.js', projections: 'projections.js', delivery: 'delivery.js' };
const [part] = process.argv.splice(2);

if (part !== undefined) process.env.ENGINE ||= 'cluster';
if (part === 'gateway') process.argv.push('--alone');
const handOver = endWithSteps(0);
await prepare();
const bundle = new URL('../dist/apps/gateway/bundle/', import.meta.url);
// Node 22.8 and later cache compiled code, unless the folder is read-only.
module.enableCompileCache?.(fileURLToPath(new URL('.compiled', bundle)));
// In this process, so that it receives signals directly and no child can remain.
await import(new URL(ENTRIES[part ?? 'gateway'], bundle).href);
handOver();
