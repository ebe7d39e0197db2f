import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../launch/run.mjs';
import { typical } from './rounds.mjs';

/** Options of both benches. */
const OPTIONS = { quick: { type: 'boolean', default: false }, rounds: { type: 'string', default: '3' } };

/**
 * A figure beside the limit's: its share where it is a rate, else a multiple.
 * @param aim what we work towards; a figure without one is not compared with another checkout's
 */
export const share = (key, name, unit, aim) => ({ key, name, unit, aim, isShare: true, isCompared: aim !== undefined });

/** A figure that counts by itself. */
export const own = (key, name, unit, aim) => ({ ...share(key, name, unit, aim), isShare: false });

/**
 * @param measure resolves to the figures of each round, by contestant and key
 * @param tolerance by what share another checkout's figures may be better before that is a regression
 */
export const row = (id, name, limit, measure, figures, tolerance = 0.15) => ({ id, name, limit, measure, figures, tolerance });

/** What the command line asks for: options, and rows of `table`, all unless some are named. Ends the process if it is wrong. */
export function planOf(table, options = {}) {
  try {
    const { values, positionals } = parseArgs({ options: { ...OPTIONS, ...options }, allowPositionals: true });
    const ids = table.map(({ id }) => id);
    const unknown = positionals.find((id) => !ids.includes(id));
    if (unknown) throw new Error(`There is no row ${unknown}. Known are ${ids.join(', ')}.`);
    const rows = positionals.length === 0 ? table : table.filter(({ id }) => positionals.includes(id));
    return { ...values, rounds: Number(values.rounds), rows, isWhole: rows === table };
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

/**
 * Medians over the rounds: ours, the limit's and the other checkout's, and by what share ours is worse than that. A figure of the worst of
 * several has the name of that one in `found.worst`.
 */
function measured({ name, ...rest }, found, tolerance) {
  const figure = { ...rest, name: found.worst ? `${name}: ${found.worst[rest.key]}` : name };
  const [ours, limit, against] = ['ours', 'limit', 'against'].map((who) => found[who] && typical(found[who], figure.key));
  if (against === undefined || !figure.isCompared) return { ...figure, ours, limit, against };
  const worse = figure.unit === '/s' ? 1 - ours / against : ours / against - 1;
  return { ...figure, ours, limit, against, worse, isRegression: worse > tolerance };
}

const print = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const short = (number) =>
  Math.abs(number) >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(3)));
const told = (value, unit) => (value === undefined ? '–' : `${short(value)}${unit === '/s' ? '' : ' '}${unit}`);

function printFigure({ name, unit, ours, limit, isShare, aim = '–', against, worse, isRegression }) {
  const ratio = isShare ? `${unit === '/s' ? '' : '×'}${short(ours / limit)}` : '–';
  const percent = worse === undefined ? '' : `, ${Math.round(Math.abs(worse) * 100)} % ${worse > 0 ? 'worse' : 'better'}`;
  const verdict = `${told(against, unit)}${percent}${isRegression ? ': regression' : ''}`;
  print(name, told(ours, unit), told(limit, unit), ratio, aim, verdict);
}

/**
 * Measures the rows of a plan and prints their figures as a table in Markdown; a row that fails makes the process fail at its end.
 * The figures of a run of all rows are kept in `file`, unless it is a quick one. With `strict` a regression fails the process.
 */
export async function report({ rows, isWhole, strict, ...plan }, file) {
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version, loadBefore: loadavg()[0] };
  const all = [];
  console.log(
    `${plan.rounds} rounds, Node ${machine.node}, ${machine.cores} cores, load average ${machine.loadBefore.toFixed(1)}\n`,
  );
  print('Figure', 'Ours', 'Limit', 'Ratio', 'Aim', plan.builds[1]?.name ?? 'against');
  print(...Array(6).fill('---'));
  for (const { id, name, limit, measure, figures, tolerance } of rows) {
    print(`**${id}** ${name}`, '', limit, '', '', '');
    try {
      const found = await measure(plan);
      const made = figures.map((figure) => ({ row: id, ...measured(figure, found, tolerance) }));
      made.forEach(printFigure);
      all.push(...made);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
  if (isWhole && !plan.quick && !process.exitCode) {
    const figures = all.map(({ row: id, name, ours, limit, against }) => ({ row: id, name, ours, limit, against }));
    const run = { at: new Date().toISOString(), ...machine, rounds: plan.rounds, figures };
    writeFileSync(join(root, file), `${JSON.stringify(run, null, 2)}\n`);
  }
  if (strict && all.some(({ isRegression }) => isRegression)) process.exitCode = 1;
}
