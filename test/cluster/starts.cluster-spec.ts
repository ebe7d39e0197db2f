import { startThatEnds } from '../e2e/harness/app.js';

const END_WITHIN_MS = 10_000;

describe.each(['projections', 'delivery'] as const)('%s before the first start of any gateway', (part) => {
  it('waits for it, says so, and ends with 0 soon after SIGTERM', async () => {
    const from = performance.now();
    const { code, stderr } = await startThatEnds({}, { part, signalAt: 'waiting for the first start' });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
    expect(performance.now() - from).toBeLessThan(END_WITHIN_MS);
  });
});
