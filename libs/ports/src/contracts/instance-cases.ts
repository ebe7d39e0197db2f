/** How long a case waits for the other instance by default; a spec with a planted stale cache waits less. */
export const PATIENCE_MS = 45_000;

/** The tests of two instances of a port over the same storage, by name. */
export type InstanceCases<Pair> = Readonly<Record<string, (pair: Pair) => Promise<void>>>;

/** Declares each case as a test with a new pair. */
export function twoInstances<Pair>(cases: InstanceCases<Pair>, pairOf: () => Promise<Pair>): void {
  describe('one of two instances', () => {
    for (const [sentence, holds] of Object.entries(cases)) it(sentence, async () => holds(await pairOf()));
  });
}
