import { expiredUpTo, isExpired, RETIRE_AFTER_MS } from './event-window.js';

const DAY = 86_400_000;

describe('an event', () => {
  it('can be looked up for thirty days', () => {
    expect([isExpired(7, 7 + 30 * DAY - 1), isExpired(7, 7 + 30 * DAY)]).toEqual([false, true]);
    expect(expiredUpTo(7 + 30 * DAY)).toBe(7);
  });

  it('goes a day after that', () => expect(RETIRE_AFTER_MS).toBe(31 * DAY));
});
