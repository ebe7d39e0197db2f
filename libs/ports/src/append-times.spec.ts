import { APPEND_TIMES } from './append-times.js';

describe('the times of an append', () => {
  it('follow each other: sent again by the caller, unknown to the engine, settled', () => {
    const { sentAgainForMs, unknownAfterMs, settledWithinMs } = APPEND_TIMES;
    expect(Object.values(APPEND_TIMES)).toEqual([sentAgainForMs, unknownAfterMs, settledWithinMs]);
    expect(sentAgainForMs).toBeLessThan(unknownAfterMs);
    expect(unknownAfterMs).toBeLessThan(settledWithinMs);
  });
});
