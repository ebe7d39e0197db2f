/** How long a case waits for the other instance; specs with a planted stale cache wait less. */
export const PATIENCE_MS = 45_000;

export type InstanceCases<Pair> = Readonly<Record<string, (pair: Pair) => Promise<void>>>;

export function twoInstances<Pair>(cases: InstanceCases<Pair>, pairOf: () => Promise<Pair>): void {
  describe('one of two instances', () => {
    for (const [sentence, holds] of Object.entries(cases)) it(sentence, async () => holds(await pairOf()));
  });
}
