import { freshFolder } from '../builds.mjs';
import { runProgram } from '../processes.mjs';
import { contest } from '../rounds.mjs';

/** An append through the port by so many callers, beside a line in a zero-filled file, both durable. */
export const appends = (callers) => (plan) => {
  const run = (build) =>
    runProgram('append.mjs', { build: build?.path, directory: freshFolder('append'), callers, seconds: plan.seconds });
  return contest(plan, run, () => run());
};

/** The disk that events of 500 bytes take. */
export async function disk(plan) {
  const run = (build) => {
    const directory = freshFolder(`disk-${build.key}`);
    return runProgram('disk.mjs', { build: build.path, directory, count: plan.quick ? 100_000 : 400_000 });
  };
  const found = await contest({ ...plan, rounds: 1 }, run);
  return { ...found, limit: found.ours.map(({ payload }) => ({ bytes: payload })) };
}
