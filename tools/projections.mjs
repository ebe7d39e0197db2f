// npm run projections -- <command>: the workbench, for analysts.
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const handOver = endWithSteps(1);
await prepare();
handOver();
await import(new URL('../dist/apps/gateway/bundle/workbench.js', import.meta.url).href);
