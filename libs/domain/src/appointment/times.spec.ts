import { refuseBadTimes } from './times.js';

const HALF_HOUR = 1_800_000;
const NINE = Date.UTC(2026, 2, 2, 9);
const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('9999-12-31T23:59:59.999Z') + 1;

describe('an appointment', () => {
  it.each([
    [YEAR_0, YEAR_0 + HALF_HOUR],
    [NINE, NINE + 1],
    [YEAR_10000 - HALF_HOUR, YEAR_10000 - 1],
  ])('may last from %d to %d', (startsAt, endsAt) => expect(() => refuseBadTimes({ startsAt, endsAt })).not.toThrow());

  it.each([
    ['before year 0', YEAR_0 - 1, NINE, 'starts_at'],
    ['after year 9999', YEAR_10000, YEAR_10000 + HALF_HOUR, 'starts_at'],
    ['into year 10000', YEAR_10000 - HALF_HOUR, YEAR_10000, 'ends_at'],
    ['for ever', NINE, Infinity, 'ends_at'],
    ['for no time', NINE, NINE, 'ends_at'],
  ])('does not last %s', (_, startsAt, endsAt, param) => {
    const refusal = expect.objectContaining({ code: 'time_range_invalid', details: { param } });
    expect(() => refuseBadTimes({ startsAt, endsAt })).toThrow(refusal);
  });
});
