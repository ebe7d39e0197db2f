function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Lets every contestant run once a round, one after the other, and answers each one's measurements. Every other round
 * goes the other way round, so that nobody always runs behind the same one.
 */
export async function interleave(rounds, contestants) {
  const names = Object.keys(contestants);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) found[name].push(await contestants[name](round));
  }
  return found;
}

/** The median of one figure over the rounds. */
export const typical = (measured, figure) => median(measured.map((one) => one[figure]));

/** The same for every build that takes part, by its key. */
export const each = (builds, make) => Object.fromEntries(Object.values(builds).map((build) => [build.key, make(build)]));
