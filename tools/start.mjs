import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const handOver = endWithSteps(0);
await prepare();
// The service runs in this very process: a signal that reaches it reaches the service, and nothing is left behind.
await import(new URL('../dist/apps/gateway/bundle/main.js', import.meta.url).href);
handOver();
