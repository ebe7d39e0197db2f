import { prepare } from './prepare.mjs';
import { endWithSteps } from './run.mjs';

endWithSteps();
await prepare();
