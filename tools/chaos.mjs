// npm run chaos: runs the built service under load, undisturbed, restarted and killed, then compares logs of clients and receivers
// with its answers. CHAOS_SEED repeats the choices, CHAOS_KILLS sets the number of kills.
import { join } from 'node:path';
import { Chance } from './chaos/chance.mjs';
import { Service } from './chaos/gateway-process.mjs';
import { copyBuild, playAll } from './chaos/rounds.mjs';
import { killed, leftAlone, restarted } from './chaos/troubles.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const kills = Number(process.env.CHAOS_KILLS ?? 100);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

endWithSteps(1);
await prepare();
const main = join(copyBuild(), 'main.js');
process.stdout.write(`seed ${seed}, ${kills} kills (CHAOS_SEED=${seed} CHAOS_KILLS=${kills} repeats it)\n`);
const plan = { 'left-alone': leftAlone(8_000), restarted: restarted(5), killed: killed(kills) };
await playAll(plan, new Chance(seed), (...given) => new Service(main, ...given));
