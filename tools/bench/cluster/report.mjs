import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { clusterResults } from '../places.mjs';

/** A figure beside that of a reference program; `aim` bounds their ratio. */
export const share = (name, ours, floor, more = {}) => ({ name, ours, floor, ratio: ours / floor, ...more });

/** A figure that counts by itself. */
export const own = (name, ours, unit, more = {}) => ({ name, ours, unit, ...more });

/** Why there is no figure. */
export const unmeasured = (name, why) => ({ name, why });

const short = (number) =>
  Math.abs(number) >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(2)));

function cellsOf({ name, ours, unit = '/s', floor, ratio, aim = '–', why }) {
  if (why !== undefined) return [name, `not measured: ${why}`, '–', '–', aim];
  const told = (value) => (value === undefined ? '–' : `${short(value)}${unit === '/s' ? unit : ` ${unit}`}`);
  return [name, told(ours), told(floor), ratio === undefined ? '–' : ratio.toFixed(2), aim];
}

const line = (cells) => `| ${cells.join(' | ')} |`;

export const heading = ({ quick, rounds, loadBefore }) =>
  [
    `${quick ? 'Quick run, no record. ' : ''}Medians of ${rounds} rounds where there is a floor. Node ${process.version}, ${cpus().length} cores, load average before the run ${loadBefore.toFixed(1)}.`,
    '',
    line(['Measure', 'Cluster', 'Floor', 'Ratio', 'Aim']),
    '|---|---|---|---|---|',
  ].join('\n');

/** The lines of a table in Markdown. */
export const linesOf = ({ figures }) => figures.map((figure) => line(cellsOf(figure))).join('\n');

/** Puts the row in the place of what an earlier run said about it. */
export function keep(row, order) {
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? '', node: process.version };
  const { rows } = existsSync(clusterResults) ? JSON.parse(readFileSync(clusterResults, 'utf8')) : { rows: [] };
  const all = [...rows.filter((other) => other.row !== row.row), row];
  all.sort((a, b) => order.indexOf(a.row) - order.indexOf(b.row));
  writeFileSync(clusterResults, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`);
}
