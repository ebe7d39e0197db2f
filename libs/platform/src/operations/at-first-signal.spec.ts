import { atFirstSignal, withinMs } from './at-first-signal.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

describe('a process that is to end', () => {
  afterEach(() => SIGNALS.forEach((signal) => process.removeAllListeners(signal)));

  it.each([SIGNALS, SIGNALS.toReversed()])('begins to at the first signal, be it %s, and hears no other', (...signals) => {
    const told: string[] = [];
    atFirstSignal((signal) => void told.push(signal));
    for (const signal of [...signals, ...signals]) {
      process.emit(signal);
      expect(told).toEqual([signals[0]]);
    }
  });

  it('waits for its work, whether it fails or not, and no longer than it may', async () => {
    expect(await withinMs(Promise.resolve(), 60_000)).toBe(true);
    expect(await withinMs(Promise.reject(new Error('failed')), 60_000)).toBe(true);
    expect(await withinMs(new Promise(() => undefined), 20)).toBe(false);
  });
});
