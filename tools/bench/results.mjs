import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { results } from './places.mjs';
import { typical } from './rounds.mjs';
import { TABLE } from './table.mjs';

/** The last release. Its figures stay in the file of results beside those of the last run. */
export const RELEASE = '620d8cb';

const order = TABLE.map(({ row }) => row);
const recordIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { rows: [] });

/** Medians over the rounds: one contestant's, the limit's, and the ratio that the bounds of a figure are about. */
function comparison({ key, isShare }, measured, limit) {
  const of = (rounds) => (rounds?.[0]?.[key] === undefined ? null : typical(rounds, key));
  const [ours, other] = [of(measured), of(limit)];
  return { ours, limit: other, ratio: isShare ? ours / other : ours };
}

/** By what share a figure is worse than another; below zero where it is better. */
const worseBy = (atMost, ratio, other) => (atMost ? ratio / other - 1 : 1 - ratio / other);

const byKey = (figures, make) => Object.fromEntries(figures.map((figure) => [figure.key, make(figure)]));

function figureOf(figure, found, tolerance) {
  const ours = comparison(figure, found.ours, found.limit);
  if (!found.against) return { ...figure, ...ours };
  const against = comparison(figure, found.against, found.limit);
  if (figure.isDifference) return { ...figure, ...ours, against };
  const worse = worseBy(figure.atMost, ours.ratio, against.ratio);
  return { ...figure, ...ours, against, worse, regression: figure.isCompared && worse > tolerance };
}

/** The last release's figures of a row: those of this run where it took part, else those that an earlier run left. */
function releaseOf(row, figures, found, { against, loadBefore }) {
  if (against?.name !== RELEASE || !found.against)
    return recordIn(results.kept).rows.find((one) => one.row === row)?.release ?? null;
  const at = new Date().toISOString();
  return {
    at,
    loadBefore,
    rounds: found.against.length,
    figures: byKey(figures, (figure) => comparison(figure, found.against, found.limit)),
  };
}

/** One row of the table from what its contestants measured in each round. */
export function rowOf(id, found, { against, seconds, quick, loadBefore }) {
  const { row, name, limit, method, tolerance, figures } = TABLE.find((one) => one.row === id);
  return {
    row,
    name,
    limit,
    method,
    rounds: found.ours.length,
    seconds,
    quick,
    loadBefore,
    at: new Date().toISOString(),
    figures: figures.map((figure) => figureOf(figure, found, tolerance)),
    release: releaseOf(row, figures, found, { against, loadBefore }),
    against: found.against ? against.name : null,
    measured: found,
  };
}

/** Puts the rows in the place of what an earlier run said about them. A quick run is no record. */
export function keep(rows, { quick }) {
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? '', node: process.version };
  for (const file of quick ? [results.local] : [results.local, results.kept]) {
    const others = recordIn(file).rows.filter((old) => !rows.some(({ row }) => row === old.row));
    const all = [...others, ...rows].toSorted((a, b) => order.indexOf(a.row) - order.indexOf(b.row));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ machine, release: RELEASE, rows: all }, null, 2)}\n`);
  }
}
