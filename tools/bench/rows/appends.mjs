import { freshFolder } from '../places.mjs';
import { runProgram } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

function contest({ rounds, seconds }, callers) {
  const run = (contestant) => () =>
    runProgram('append.mjs', { contestant, directory: freshFolder(`append-${contestant}`), callers, seconds });
  return interleave(rounds, { limit: run('limit'), ours: run('ours') });
}

/** Rows 1 and 2: an append through the port beside a line in a zero-filled file, both durable. */
export const appends = {
  rows: [1, 2],
  async measure(plan) {
    const rows = [];
    if (plan.wants(1)) {
      const { ours, limit } = await contest(plan, 64);
      const [perSecond, most] = [typical(ours, 'perSecond'), typical(limit, 'perSecond')];
      const figures = { ours: perSecond, limit: most, unit: '/s', ratio: perSecond / most, floor: 0.25, goal: 0.4 };
      rows.push(row(1, 'append, 64 callers', { ...figures, measured: { ours, limit } }));
      const p99 = { ours: typical(ours, 'p99'), limit: typical(limit, 'p99'), unit: 'ms' };
      rows.push(row(1, 'append, 64 callers, p99', { ...p99, ratio: p99.ours, floor: null, goal: 8, atMost: true }));
    }
    if (plan.wants(2)) {
      const { ours, limit } = await contest(plan, 1);
      const p50 = { ours: typical(ours, 'p50'), limit: typical(limit, 'p50'), unit: 'ms' };
      const bounds = { ratio: p50.ours / p50.limit, floor: 4, goal: 2, atMost: true };
      rows.push(row(2, 'append, 1 caller, p50', { ...p50, ...bounds, measured: { ours, limit } }));
    }
    return rows;
  },
};
