// npm run bench [-- rows…] [--quick] [--soak=minutes]: every row beside its limit, interleaved in the same run.
import { prepare } from '../launch/prepare.mjs';
import { endWithSteps } from '../launch/run.mjs';

endWithSteps();
await prepare();
// Rows need packages, which a fresh clone has only now.
await import('./measure.mjs');
