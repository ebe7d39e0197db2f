import fc from 'fast-check';
import { toTime } from './time.resource.js';

it('times are told in UTC with milliseconds, in any order', () => {
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

it('a stored time that no date-time can name is told as the nearest one, and disturbs no other', () => {
  expect([1e300, 1e18, 253_402_300_800_000].map((at) => toTime(at))).toEqual(Array(3).fill('9999-12-31T23:59:59.999Z'));
  expect([-1e300, -62_167_219_200_001, NaN].map((at) => toTime(at))).toEqual(Array(3).fill('0000-01-01T00:00:00.000Z'));
  expect(toTime(253_402_300_799_001)).toBe('9999-12-31T23:59:59.001Z');
});

it('any times, one behind the other, are each told as if they were the only one', () => {
  const near = fc.integer({ min: 0, max: 2_000_000 });
  const anywhere = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(fc.array(fc.oneof(near, anywhere)), (times) => {
      expect(times.map((at) => toTime(at))).toEqual(times.map((at) => new Date(at).toISOString()));
    }),
  );
});
