// npm run admin -- reset-password: for a stopped service, or on the three servers.
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const handOver = endWithSteps(1);
await prepare();
handOver();
await import(new URL('../dist/apps/gateway/bundle/admin.js', import.meta.url).href);
