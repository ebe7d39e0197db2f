// npm run bench [-- rows…] [--against <checkout>] [--strict] [--quick] [--rounds n] [--soak minutes]
// Every row beside its limit, and beside another checkout's service if one is named, in turn in the same rounds.
import { prepare } from '../launch/prepare.mjs';
import { endWithSteps } from '../launch/run.mjs';

endWithSteps();
await prepare();
// A fresh clone has the packages that rows import only now.
await import('./measure.mjs');
