import { isWritable, nearestWritable } from './nearest-writable.js';

const FIRST = -62_167_219_200_000;
const LAST = 253_402_300_799_999;
const nearest = (at: number) => new Date(nearestWritable(at)).toISOString();

it('an instant can be written from year 0000 to year 9999', () => {
  expect([FIRST, 0, LAST].map(isWritable)).toEqual([true, true, true]);
  expect([FIRST - 1, LAST + 1, 1e300, -1e300, Infinity, NaN].map(isWritable)).not.toContain(true);
});

it('what cannot be written is told as the nearest instant that can', () => {
  expect(nearest(1)).toBe('1970-01-01T00:00:00.001Z');
  expect([LAST, LAST + 1, 1e300, Infinity].map(nearest)).toEqual(Array(4).fill('9999-12-31T23:59:59.999Z'));
  expect([FIRST, FIRST - 1, -1e300, NaN].map(nearest)).toEqual(Array(4).fill('0000-01-01T00:00:00.000Z'));
});
