import { cpus } from 'node:os';
import { RELEASE } from './results.mjs';

const WIDTHS = [38, 14, 14, 9, 12, 9, 9];
const line = (...cells) =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[index] ?? 0)))
    .join(' ')
    .trimEnd();

const short = (number) =>
  Math.abs(number) >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(3)));
const absolute = (value, unit) => (value === null ? '–' : unit === '×' ? `×${short(value)}` : `${short(value)} ${unit}`);

/** A share as a plain number, a multiple with its sign, a figure that counts by itself with its unit. */
function ratio({ isShare, atMost, unit }, value) {
  if (value === null || value === undefined) return '–';
  return isShare ? `${atMost ? '×' : ''}${short(value)}` : absolute(value, unit);
}

function bound({ isShare, atMost, unit }, value) {
  if (value === null) return '–';
  return `${atMost ? '≤' : '≥'} ${(isShare && atMost) || unit === '×' ? '×' : ''}${value}`;
}

function verdict({ worse, regression }, name) {
  if (worse === undefined) return '';
  const percent = Math.round(Math.abs(worse) * 100);
  if (percent === 0) return `  as ${name}`;
  return `  ${percent} % ${worse > 0 ? 'worse' : 'better'} than ${name}${regression ? ': regression' : ''}`;
}

export function heading({ rounds, seconds, builds, loadBefore }) {
  const against = builds.against ? `, this checkout and ${builds.against.name}` : '';
  const lines = [
    `Medians over rounds (${rounds}, ${seconds} s each, unless a row says otherwise), the limit${against} in turn in each.`,
    `Aim is what we work towards, least where users would begin to feel it; neither fails a run.`,
    `${RELEASE} is the last release: in this run where it takes part, else as it was measured last.`,
    `Load average of this machine before the run: ${loadBefore.toFixed(1)} on ${cpus().length} cores; ratios hold better than figures.`,
    line('', 'ours', 'limit', 'ratio', RELEASE, 'aim', 'least'),
  ];
  return `${lines.join('\n')}\n`;
}

export function tableOf({ row, name, limit, method, rounds, figures, release, against }) {
  const beside = limit === null ? '' : `, beside ${limit}`;
  const lines = figures.map((figure) => {
    const { ours, limit: other, unit, least, aim } = figure;
    const earlier = ratio(figure, release?.figures[figure.key]?.ratio);
    const cells = [absolute(ours, unit), absolute(other, unit), ratio(figure, figure.ratio), earlier];
    const bounds = [bound(figure, aim), bound(figure, least)];
    return line(`      ${figure.name}`, ...cells, ...bounds) + verdict(figure, against);
  });
  const turns = rounds === 1 ? '1 round' : `${rounds} rounds`;
  return [`${row.padEnd(5)} ${name}${beside} (${method}; ${turns})`, ...lines, ''].join('\n');
}

/** The rows that are worse than what they were measured against, by more than the difference between two runs. */
export function regressionsIn(rows) {
  return rows.flatMap(({ row, figures, against }) =>
    figures
      .filter(({ regression }) => regression)
      .map((figure) => `regression: ${row}, ${figure.name}:${verdict({ ...figure, regression: false }, against)}`),
  );
}
