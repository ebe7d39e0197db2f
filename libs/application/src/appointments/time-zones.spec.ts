import { isIanaName, isTimeZone } from './time-zones.js';

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Etc/GMT+5', 'EST5EDT'])(
    'is one by its name: %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it('is asked of the runtime once, however it is written', () => {
    expect(isTimeZone('Europe/Lisbon')).toBe(true);
    const asked = jest.spyOn(Intl, 'DateTimeFormat');
    expect(['EUROPE/LISBON', 'europe/Lisbon'].map(isTimeZone)).toEqual([true, true]);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it.each(['+01:00', '-0500', '+01'])('is no offset, whatever the runtime takes for a zone: %s', (offset) => {
    expect(isTimeZone(offset)).toBe(false);
  });

  it.each(['', ' ', 'Z', 'GMT+1', 'Mars/Olympus', 'Europe/Berlin '])('is no other word: "%s"', (word) => {
    expect(isTimeZone(word)).toBe(false);
  });
});

describe('an IANA name', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'europe/berlin',
    'Etc/GMT+5',
    'EST',
    'MST',
    'HST',
    'CET',
    'MET',
    'PRC',
    'ROK',
    'EST5EDT',
    'GB',
  ])('can be looked up anywhere: %s', (name) => {
    expect(isIanaName(name)).toBe(true);
  });

  it.each(['BST', 'bst', 'PST', 'CST', 'IST', 'JST', 'ECT', 'SystemV/PST8', 'Mars/Olympus', '+01:00'])(
    'is none that only some runtimes know: %s',
    (name) => {
      expect(isIanaName(name)).toBe(false);
    },
  );
});
