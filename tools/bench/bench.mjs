// npm run bench [-- rows…] [--against <checkout>] [--strict] [--quick] [--rounds n] [--soak minutes]
// Every row beside its limit, and beside another checkout's service where one is named, in turn in the same rounds.
import { prepare } from '../launch/prepare.mjs';
import { endWithSteps } from '../launch/run.mjs';

endWithSteps();
await prepare();
// Rows need packages, which a fresh clone has only now.
await import('./measure.mjs');
