import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { ownBuild } from '../builds.mjs';
import { Receiver } from '../hooks.mjs';
import { Cluster } from './cluster.mjs';
import { heading, keep, linesOf, unmeasured } from './report.mjs';
import { apps } from './rows/apps.mjs';
import { deliveries, deliveryProcesses } from './rows/deliveries.mjs';
import { engines } from './rows/engines.mjs';
import { firstDeliveries } from './rows/first-deliveries.mjs';
import { lists } from './rows/lists.mjs';
import { posts } from './rows/posts.mjs';
import { rebuild } from './rows/rebuild.mjs';

/** Each resolves to figures. The rebuild comes first, because the others fill the log with what it does not project. */
const ROWS = {
  rebuild,
  posts,
  lists,
  'first-deliveries': firstDeliveries,
  deliveries,
  'delivery-processes': deliveryProcesses,
  apps,
  engines,
};

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
};

function planned() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { quick } = values;
  const unknown = positionals.find((name) => !(name in ROWS));
  if (unknown) throw new Error(`There is no row ${unknown}. Known are ${Object.keys(ROWS).join(', ')}.`);
  const rounds = quick ? 1 : Number(values.rounds);
  const wanted = positionals.length > 0 ? positionals : Object.keys(ROWS);
  return { quick, rounds, seconds: quick ? 2 : 4, wanted, loadBefore: loadavg()[0], build: ownBuild() };
}

function planOrEnd() {
  try {
    return planned();
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

async function measured(name, bench) {
  const row = { row: name, at: new Date().toISOString(), loadBefore: loadavg()[0] };
  try {
    return { ...row, figures: await ROWS[name](bench) };
  } catch (error) {
    console.error(error);
    return { ...row, figures: [unmeasured(name, error.message.split('\n')[0])] };
  }
}

const plan = planOrEnd();
const cluster = await Cluster.start(plan.build);
const receiver = await Receiver.start();
try {
  console.log(heading(plan));
  for (const name of Object.keys(ROWS).filter((row) => plan.wanted.includes(row))) {
    const row = await measured(name, { ...plan, cluster, receiver });
    console.log(linesOf(row));
    if (!plan.quick) keep(row, Object.keys(ROWS));
  }
} finally {
  await Promise.all([cluster.stop(), receiver.stop()]);
}
