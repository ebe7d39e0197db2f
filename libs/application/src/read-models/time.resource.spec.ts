import { toTime } from './time.resource.js';

it('times are told in UTC with milliseconds', () => {
  const nine = Date.UTC(2026, 2, 1, 9);
  expect([nine + 7, nine + 42, nine, null, nine + 120, -1].map((at) => toTime(at))).toEqual([
    '2026-03-01T09:00:00.007Z',
    '2026-03-01T09:00:00.042Z',
    '2026-03-01T09:00:00.000Z',
    null,
    '2026-03-01T09:00:00.120Z',
    '1969-12-31T23:59:59.999Z',
  ]);
});

it('a stored time that no date-time can name is told as the nearest one', () => {
  expect([1e300, 1e18, 253_402_300_800_000].map((at) => toTime(at))).toEqual(Array(3).fill('9999-12-31T23:59:59.999Z'));
  expect([-1e300, -62_167_219_200_001, NaN].map((at) => toTime(at))).toEqual(Array(3).fill('0000-01-01T00:00:00.000Z'));
  expect(toTime(253_402_300_799_001)).toBe('9999-12-31T23:59:59.001Z');
});
