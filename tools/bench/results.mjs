import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { results } from './places.mjs';

/**
 * One row of the table. `ratio` compares ours with the limit; `floor` and `goal` are bounds on it, from below unless
 * `atMost` says that less is better.
 */
export function row(number, what, { ours, limit, unit, ratio, floor, goal, atMost = false, ...more }) {
  const meets = (bound) => bound === null || (atMost ? ratio <= bound : ratio >= bound);
  const verdict = verdictOf(meets(floor), meets(goal), floor, goal);
  return { row: number, what, ours, limit, unit, ratio, floor, goal, atMost, verdict, ...more };
}

function verdictOf(floorHolds, goalReached, floor, goal) {
  if (!floorHolds) return 'BELOW THE FLOOR';
  if (goal !== null && goalReached) return 'goal reached';
  if (floor !== null) return 'floor holds';
  return goal === null ? 'for information' : 'short of the goal';
}

const short = (number) =>
  number === null ? '–' : number >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(3)));

export function print({ row: number, what, ours, limit, unit, ratio, floor, goal, atMost, verdict }) {
  const bound = (value) => (value === null ? '–' : `${atMost ? '≤' : '≥'} ${value}`);
  const figures = `ours ${short(ours)} ${unit}, limit ${short(limit)} ${unit}, ratio ${short(ratio)}`;
  process.stdout.write(
    `${String(number).padEnd(4)}${what}: ${figures} (floor ${bound(floor)}, goal ${bound(goal)}): ${verdict}\n`,
  );
}

/** Puts the rows in the place of what an earlier run said about them. */
export function keep(rows, { rounds, quick }) {
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? '', node: process.version };
  const at = new Date().toISOString();
  for (const file of quick ? [results.local] : [results.local, results.kept]) {
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
    const measured = rows.map((one) => ({ ...one, rounds, at }));
    const isReplaced = (old) => measured.some((one) => one.row === old.row && one.what === old.what);
    const all = [...before.filter((old) => !isReplaced(old)), ...measured].sort(
      (a, b) => Number.parseInt(a.row, 10) - Number.parseInt(b.row, 10),
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`);
  }
}
