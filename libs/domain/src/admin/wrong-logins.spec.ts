import { LOGIN_WINDOW_MS, lockedFor, stillCounting } from './wrong-logins.js';

describe('wrong logins', () => {
  it('lock after five within fifteen minutes', () => {
    expect(LOGIN_WINDOW_MS).toBe(900_000);
    expect(lockedFor([1, 2, 3, 4], 10)).toBe(0);
    expect(lockedFor([1, 2, 3, 4, 5], 10)).toBe(1 + LOGIN_WINDOW_MS - 10);
  });

  it('of one instant count one by one, the present instant included', () => {
    expect(stillCounting([7, 7, 7, 7, 7], 7)).toHaveLength(5);
    expect(lockedFor([7, 7, 7, 7, 7], 7)).toBe(LOGIN_WINDOW_MS);
  });

  it('lock for fifteen minutes at most, also when the clock is set back after them', () => {
    const ahead = Array.from({ length: 5 }, () => 24 * LOGIN_WINDOW_MS);
    expect(lockedFor(ahead, 0)).toBe(0);
    expect(lockedFor([...ahead, 1, 2, 3, 4, 5], 10)).toBe(1 + LOGIN_WINDOW_MS - 10);
  });

  it('count for fifteen minutes and not a millisecond longer', () => {
    const wrong = [0, 2, 3, 4, 5];
    expect(lockedFor(wrong, LOGIN_WINDOW_MS - 1)).toBe(1);
    expect(lockedFor(wrong, LOGIN_WINDOW_MS)).toBe(0);
    expect(stillCounting(wrong, LOGIN_WINDOW_MS)).toEqual([2, 3, 4, 5]);
  });
});
