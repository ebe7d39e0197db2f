export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lets every contestant run once a round, one after the other, and answers each one's measurements. */
export async function interleave(rounds, contestants) {
  const found = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) found[name].push(await run(round));
  }
  return found;
}

/** The median of one figure over the rounds. */
export const typical = (measured, figure) => median(measured.map((one) => one[figure]));
