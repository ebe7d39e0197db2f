import fc from 'fast-check';
import { readHttpDate } from './http-date.js';

const NOW = Date.UTC(2026, 10, 29);
const THEN = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('an HTTP date', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'is read in each of its three forms: %s',
    (text) => expect(readHttpDate(text, NOW)).toBe(THEN),
  );

  it.each([
    ['26', 2026],
    ['76', 2076],
    ['77', 1977],
  ])('with the year %s in two digits is of %i', (year, full) =>
    expect(readHttpDate(`Sunday, 06-Nov-${year} 08:49:37 GMT`, NOW)).toBe(Date.UTC(full, 10, 6, 8, 49, 37)),
  );

  it.each(['', 'tomorrow', '1994-11-06T08:49:37Z', 'Sun, 06 Nov 1994 08:49:37 +0100', 'Sun, 6 Nov 1994 08:49:37 GMT'])(
    'is nothing else: %s',
    (text) => expect(readHttpDate(text, NOW)).toBeNull(),
  );

  it('law: is read as what was written, to the second', () =>
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true }), (date) => {
        expect(readHttpDate(date.toUTCString(), NOW)).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
      }),
    ));
});
