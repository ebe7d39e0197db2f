import { LOGIN_WINDOW_MS, lockedFor, stillCounting } from './login-attempts.js';

describe('wrong logins', () => {
  it('lock after five within fifteen minutes', () => {
    expect(lockedFor([1, 2, 3, 4], 10)).toBe(0);
    expect(lockedFor([1, 2, 3, 4, 5], 10)).toBe(1 + LOGIN_WINDOW_MS - 10);
  });

  it('count for fifteen minutes and not a millisecond longer', () => {
    const wrong = [0, 2, 3, 4, 5];
    expect(lockedFor(wrong, LOGIN_WINDOW_MS - 1)).toBe(1);
    expect(lockedFor(wrong, LOGIN_WINDOW_MS)).toBe(0);
    expect(stillCounting(wrong, LOGIN_WINDOW_MS)).toEqual([2, 3, 4, 5]);
  });
});
