import { ianaSpelling, isIanaName, isTimeZone } from './time-zones.js';

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Etc/GMT+5', 'EST5EDT'])(
    'is one by its name: %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it('is asked of the runtime once, however it is written', () => {
    expect(['Europe/Lisbon', 'Europe/Atlantis'].map(isTimeZone)).toEqual([true, false]);
    const asked = jest.spyOn(Intl, 'DateTimeFormat');
    expect(['EUROPE/LISBON', 'europe/Lisbon', 'europe/atlantis'].map(isTimeZone)).toEqual([true, true, false]);
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
    'US/Pacific',
    'Canada/Saskatchewan',
  ])('can be looked up anywhere: %s', (name) => {
    expect(isIanaName(name)).toBe(true);
  });

  it.each([
    'BST',
    'bst',
    'PST',
    'CST',
    'IST',
    'JST',
    'ECT',
    'SystemV/PST8',
    'Mars/Olympus',
    '+01:00',
    'US/Pacific-New',
    'us/pacific-new',
    'Canada/East-Saskatchewan',
    'CANADA/EAST-SASKATCHEWAN',
    'Factory',
    'Etc/Unknown',
  ])('is none that only some runtimes know: %s', (name) => {
    expect(isIanaName(name)).toBe(false);
  });
});

/** Links, and names that no rule spells; the runtime spells the others. */
const NAMES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Port-au-Prince',
  'Africa/Dar_es_Salaam',
  'Europe/Isle_of_Man',
  'Asia/Ust-Nera',
  'Antarctica/DumontDUrville',
  'Antarctica/McMurdo',
  'America/Argentina/Buenos_Aires',
  'America/North_Dakota/New_Salem',
  'Europe/Kiev',
  'Europe/Kyiv',
  'Asia/Calcutta',
  'Asia/Kolkata',
  'America/Buenos_Aires',
  'Asia/Saigon',
  'Asia/Ho_Chi_Minh',
  'America/Argentina/ComodRivadavia',
  'America/Knox_IN',
  'Brazil/DeNoronha',
  'Chile/EasterIsland',
  'Mexico/BajaNorte',
  'Mexico/BajaSur',
  'Australia/ACT',
  'Australia/LHI',
  'Australia/NSW',
  'Australia/North',
  'US/East-Indiana',
  'US/Eastern',
  'US/Indiana-Starke',
  'Canada/Newfoundland',
  'GB',
  'GB-Eire',
  'NZ',
  'NZ-CHAT',
  'PRC',
  'ROC',
  'ROK',
  'W-SU',
  'Zulu',
  'Eire',
  'UTC',
  'UCT',
  'GMT',
  'GMT0',
  'GMT+0',
  'GMT-0',
  'Etc/UTC',
  'Etc/UCT',
  'Etc/GMT',
  'Etc/GMT0',
  'Etc/GMT+12',
  'Etc/GMT-14',
  'Etc/Zulu',
  'Etc/Universal',
  'Etc/Greenwich',
  'CET',
  'MET',
  'EET',
  'WET',
  'EST',
  'MST',
  'HST',
  'EST5EDT',
  'CST6CDT',
  'MST7MDT',
  'PST8PDT',
  'Hongkong',
  'Iceland',
  'Kwajalein',
  'Navajo',
  'Pacific/Truk',
  'Atlantic/Faeroe',
  'Arctic/Longyearbyen',
];

describe('the spelling of a time zone', () => {
  it.each(NAMES)('is that of the IANA database: %s', (name) => {
    expect([name, name.toLowerCase(), name.toUpperCase()].map(ianaSpelling)).toEqual([name, name, name]);
  });

  it('is left alone where the word is no zone', () =>
    expect(['mars/olympus', '+01:00', ''].map(ianaSpelling)).toEqual(['mars/olympus', '+01:00', '']));
});
