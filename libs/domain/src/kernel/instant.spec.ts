import { dateTimeOf, instantOf, isWritable, nearestWritable } from './instant.js';

describe('an instant', () => {
  it.each([
    ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00.123456Z', '2026-03-01T09:00:00.123Z'],
    ['2026-03-01t09:00:00z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00+02:00', '2026-03-01T07:00:00.000Z'],
    ['2026-03-01T09:00:00 02:00', '2026-03-01T07:00:00.000Z'],
    ['0000-01-01T14:00:00+14:00', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000000+0000', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000000 0000', '2026-01-01T00:00:00.000Z'],
    ['2026-03-01T09:00:00+0130', '2026-03-01T07:30:00.000Z'],
    ['2026-03-01T09:00:00 0130', '2026-03-01T07:30:00.000Z'],
    ['2026-03-01T09:00:00-0130', '2026-03-01T10:30:00.000Z'],
    ['2026-03-01T09:00:00+01', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01 09:00:00.5 01', '2026-03-01T08:00:00.500Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00+01:00', '2026-03-01T08:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('is read from %s', (text, expected) => {
    expect(new Date(instantOf(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  it.each(['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999-00:01'])(
    'is not %s, which lies in no year of four digits',
    (text) => expect(instantOf(text)).toBeNull(),
  );

  it.each(['', 'now', '1700000000', '2026-02-30T00:00:00Z', '2026-03-01T25:00:00Z', '2026-03-01T09:00:00', '2026-13-01'])(
    'is not "%s"',
    (text) => expect(instantOf(text)).toBeNull(),
  );

  it.each([
    '2026-03-01T09:00',
    '2026-03-01T09Z',
    '2026-03-01T09:00:00+1',
    '2026-03-01T09:00:00+010',
    '2026-03-01T09:00:00+2500',
    '2026-02-30T09:00:00+0100',
    '2026-03-01T09:00:00  0100',
  ])('is not "%s" in any form', (text) => expect(instantOf(text)).toBeNull());

  it.each(['2026-03-01T09:00:00+0100', '2026-03-01T09:00Z', '2026-03-01T09:00:00+01'])(
    'of a body is written in full, not as %s',
    (text) => expect(dateTimeOf(text)).toBeNull(),
  );

  it('is told apart from a day where a time of day is needed', () => {
    expect([dateTimeOf('2026-03-01'), dateTimeOf('2026-03-01T09:00:00Z')]).toEqual([null, Date.UTC(2026, 2, 1, 9)]);
  });
});

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
