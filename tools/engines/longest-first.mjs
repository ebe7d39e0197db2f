import { statSync } from 'node:fs';

/** Small, but take minutes: begun last, they would run alone. */
const LONGEST = /\/(stalled-delivery\.cluster-spec|at-scale\/.+)\.ts$/;

const rank = ({ path }) => [LONGEST.test(path) ? 0 : 1, -statSync(path).size];

/** The order of test files, whatever earlier runs took. */
export default class LongestFirst {
  sort(tests) {
    const ranked = tests.map((test) => ({ test, rank: rank(test) }));
    return ranked.toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ test }) => test);
  }

  cacheResults() {}
}
