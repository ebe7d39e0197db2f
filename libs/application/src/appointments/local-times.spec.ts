import { instantsOfLocalTime, offsetAt } from './local-times.js';

const HOUR_MS = 3_600_000;
const iso = (zone: string, local: string) =>
  instantsOfLocalTime(zone, Date.parse(`${local}Z`)).map((at) => new Date(at).toISOString().slice(0, 19));

describe('a local time', () => {
  it.each([
    ['Europe/Berlin', '2027-03-02T09:00:00', ['2027-03-02T08:00:00']],
    ['Europe/Berlin', '2027-07-02T09:00:00', ['2027-07-02T07:00:00']],
    ['UTC', '2027-07-02T09:00:00', ['2027-07-02T09:00:00']],
    ['Asia/Kathmandu', '2027-07-02T00:10:00', ['2027-07-01T18:25:00']],
    ['Pacific/Kiritimati', '2027-01-01T00:00:00', ['2026-12-31T10:00:00']],
    ['America/Adak', '2027-01-01T23:59:59', ['2027-01-02T09:59:59']],
  ])('is one instant: %s, %s', (zone, local, instants) => expect(iso(zone, local)).toEqual(instants));

  it.each([
    ['Europe/Berlin', '2027-03-28T02:30:00'],
    ['America/New_York', '2027-03-14T02:00:00'],
    ['Pacific/Apia', '2011-12-30T12:00:00'],
  ])('is none where clocks are put forward over it: %s, %s', (zone, local) => expect(iso(zone, local)).toEqual([]));

  it('is two where clocks are put back over it', () => {
    expect(iso('Europe/Berlin', '2027-10-31T02:30:00')).toEqual(['2027-10-31T00:30:00', '2027-10-31T01:30:00']);
    expect(iso('Australia/Lord_Howe', '2027-04-04T01:45:00')).toHaveLength(2);
  });
});

it('a zone is ahead of UTC by its offset', () => {
  expect(offsetAt('Europe/Berlin', Date.UTC(2027, 0))).toBe(HOUR_MS);
  expect(offsetAt('America/New_York', Date.UTC(2027, 6) + 123)).toBe(-4 * HOUR_MS);
});
