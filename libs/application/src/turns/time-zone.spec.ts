import { isTimeZone, timeZoneOf } from './time-zone.js';

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Etc/GMT+5', 'EST5EDT'])(
    'is one by its name: %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['+01:00', '-0500', '+01'])('is no offset, whatever the runtime takes for a zone: %s', (offset) => {
    expect(isTimeZone(offset)).toBe(false);
    expect(timeZoneOf(JSON.stringify({ time_zone: offset }))).toBe('UTC');
  });

  it.each(['', ' ', 'Z', 'GMT+1', 'Mars/Olympus', 'Europe/Berlin '])('is no other word: "%s"', (word) => {
    expect(isTimeZone(word)).toBe(false);
  });
});
