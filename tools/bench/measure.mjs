import { copyBuild } from './places.mjs';
import { keep, print } from './results.mjs';
import { appends } from './rows/appends.mjs';
import { deliveries } from './rows/deliveries.mjs';
import { lists } from './rows/lists.mjs';
import { memory } from './rows/memory.mjs';
import { messages } from './rows/messages.mjs';
import { neighbours } from './rows/neighbours.mjs';
import { projections } from './rows/projections.mjs';
import { replays } from './rows/replays.mjs';
import { starts } from './rows/starts.mjs';
import { wholeWay } from './rows/whole-way.mjs';

const GROUPS = [appends, messages, lists, deliveries, wholeWay, neighbours, projections, starts, memory, replays];

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const wanted = args.filter((arg) => /^\d+b?$/.test(arg));
const minutes = Number(/^--soak=(\d+)$/.exec(args.find((arg) => arg.startsWith('--soak=')) ?? '')?.[1] ?? 1);
const plan = {
  quick,
  rounds: 3,
  seconds: quick ? 1.5 : 3,
  soakSeconds: quick ? 8 : minutes * 60,
  wants: (row) => wanted.length === 0 || wanted.includes(String(row)),
};

copyBuild();
let belowFloor = 0;
for (const { rows, measure } of GROUPS) {
  if (!rows.some(plan.wants)) continue;
  const measured = (await measure(plan)).filter(({ row }) => plan.wants(row));
  measured.forEach(print);
  keep(measured, plan);
  belowFloor += measured.filter(({ verdict }) => verdict === 'BELOW THE FLOOR').length;
}
process.exitCode = belowFloor > 0 ? 1 : 0;
