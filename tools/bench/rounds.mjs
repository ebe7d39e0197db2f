/** A clock that all processes of this machine share, in milliseconds. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;

export function percentiles(latencies) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

/** The median of one figure over the rounds, if they have it. */
export function typical(measured, figure) {
  if (measured[0][figure] === undefined) return undefined;
  const sorted = measured.map((one) => one[figure]).toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
}

/** What `make` resolves to for each build, by the build's key. */
export async function eachBuild({ builds }, make) {
  const made = {};
  for (const build of builds) made[build.key] = await make(build);
  return made;
}

/**
 * Measures the limit and each build once a round, one after the other, and resolves to the measurements of each by key. Every
 * other round runs in reverse order, so that nobody always runs behind the same one.
 */
export async function contest({ builds, rounds }, measure, limit) {
  const contestants = { ...(limit && { limit }) };
  for (const build of builds) contestants[build.key] = () => measure(build);
  const names = Object.keys(contestants);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) found[name].push(await contestants[name]());
  }
  return found;
}
