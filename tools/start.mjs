import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const handOver = endWithSteps(0);
await prepare();
const bundle = new URL('../dist/apps/gateway/bundle/', import.meta.url);
// Node 22.8 and later keep what they compiled for the next start; where they cannot write, they do without.
module.enableCompileCache?.(fileURLToPath(new URL('.compiled', bundle)));
// The service runs in this very process: a signal that reaches it reaches the service, and nothing is left behind.
await import(new URL('main.js', bundle).href);
handOver();
