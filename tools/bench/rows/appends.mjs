import { freshFolder } from '../places.mjs';
import { runProgram } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

function contest({ builds, rounds, seconds }, callers) {
  const run = (build) => () =>
    runProgram('append.mjs', { build: build?.path, directory: freshFolder(`append-${build?.key ?? 'limit'}`), callers, seconds });
  return interleave(rounds, { limit: run(), ...each(builds, run) });
}

/** Rows 1 and 2: an append through the port beside a line in a zero-filled file, both durable. */
export const appends = {
  rows: ['1', '2'],
  modules: ['engine', 'clock'],
  async measure(plan) {
    return {
      ...(plan.wants('1') && { 1: await contest(plan, 64) }),
      ...(plan.wants('2') && { 2: await contest(plan, 1) }),
    };
  },
};
