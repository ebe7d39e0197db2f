import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildOf, ownBuild } from './builds.mjs';
import { heading, regressionsIn, tableOf } from './print.mjs';
import { keep, rowOf } from './results.mjs';
import { appends } from './rows/appends.mjs';
import { deliveries } from './rows/deliveries.mjs';
import { lists, pages } from './rows/lists.mjs';
import { memory } from './rows/memory.mjs';
import { messages } from './rows/messages.mjs';
import { neighbours } from './rows/neighbours.mjs';
import { projections } from './rows/projections.mjs';
import { replays } from './rows/replays.mjs';
import { starts } from './rows/starts.mjs';
import { wholeWay } from './rows/whole-way.mjs';
import { TABLE } from './table.mjs';

/** Each measures the rows that the plan wants of those it names, by what its contestants found in each round. */
const GROUPS = [appends, messages, pages, lists, deliveries, wholeWay, neighbours, projections, starts, memory, replays];

const ORDER = TABLE.map(({ row }) => row);

const OPTIONS = {
  against: { type: 'string' },
  strict: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
  soak: { type: 'string', default: '1' },
};

/** A number alone means all of its variants, unless it is a row itself. */
function rowsNamed(names) {
  return names.flatMap((name) => {
    const meant = ORDER.includes(name) ? [name] : ORDER.filter((row) => row.replace(/\D/g, '') === name);
    if (meant.length === 0) throw new Error(`There is no row ${name}. Known are ${ORDER.join(', ')}.`);
    return meant;
  });
}

function planned() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { quick, strict, against, rounds, soak } = values;
  if (strict && !against) throw new Error('--strict needs --against: only what is worse than another checkout fails.');
  const wanted = rowsNamed(positionals);
  return {
    quick,
    strict,
    rounds: Number(rounds),
    loadBefore: loadavg()[0],
    seconds: quick ? 1.5 : 3,
    soakSeconds: quick ? 8 : Number(soak) * 60,
    wants: (row) => wanted.length === 0 || wanted.includes(row),
    builds: { ours: ownBuild(), ...(against && { against: buildOf(against) }) },
  };
}

/** The plan for a group whose programs may load modules that the other checkout's build has not, or has elsewhere. */
function planFor({ rows, modules = [] }, plan) {
  const { against, ...own } = plan.builds;
  const lacking = against?.lacks(modules) ?? [];
  if (lacking.length === 0) return plan;
  const named = rows.filter(plan.wants).join(', ');
  console.log(`Rows ${named} cannot be run against ${against.name}: its build has no module for ${lacking.join(', ')}.`);
  return { ...plan, builds: own };
}

async function measure(plan) {
  const all = [];
  for (const group of GROUPS.filter(({ rows }) => rows.some(plan.wants))) {
    const found = await group.measure(planFor(group, plan));
    const settings = { ...plan, against: plan.builds.against };
    const rows = ORDER.filter((row) => found[row] && plan.wants(row)).map((row) => rowOf(row, found[row], settings));
    rows.forEach((row) => console.log(tableOf(row)));
    keep(rows, plan);
    all.push(...rows);
  }
  return all;
}

function planOrEnd() {
  try {
    return planned();
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

const plan = planOrEnd();
console.log(heading(plan));
const regressions = regressionsIn(await measure(plan));
regressions.forEach((text) => console.log(text));
process.exitCode = plan.strict && regressions.length > 0 ? 1 : 0;
