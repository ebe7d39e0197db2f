/** How long a case waits for what another instance does, unless a spec that plants a stale cache has less patience. */
export const PATIENCE_MS = 45_000;

/** What must hold between two instances of a port over the same stored things, by its sentence. */
export type InstanceCases<Pair> = Readonly<Record<string, (pair: Pair) => Promise<void>>>;

/** Declares the cases as tests, each with a pair of its own. */
export function twoInstances<Pair>(cases: InstanceCases<Pair>, pairOf: () => Promise<Pair>): void {
  describe('one of two instances', () => {
    for (const [sentence, holds] of Object.entries(cases)) it(sentence, async () => holds(await pairOf()));
  });
}
