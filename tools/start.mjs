import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const handOver = endWithSteps(0);
await prepare();
const bundle = new URL('../dist/apps/gateway/bundle/', import.meta.url);
// Node 22.8 and later cache compiled code for the next start, unless the folder is read-only.
module.enableCompileCache?.(fileURLToPath(new URL('.compiled', bundle)));
// The service runs in this process, so that it receives signals directly and no child process can remain.
await import(new URL('main.js', bundle).href);
handOver();
