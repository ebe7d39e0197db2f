import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

endWithSteps();
await prepare();
