import fc from 'fast-check';
import { readBareHour } from './bare-hour.js';
import { momentOf, readWhen, shifted } from './when.js';

/** Monday, 2 March 2026, 10:00 in Berlin. */
const NOW = Date.UTC(2026, 2, 2, 9);
const ZONE = 'Europe/Berlin';

function start(text: string, now = NOW, zone = ZONE): string {
  const { day, time, zone: named, instant } = readWhen(text.toLowerCase(), now, zone);
  if (instant !== null) return new Date(instant).toISOString();
  return day && time
    ? new Date(momentOf(day, time, named ?? zone, now)).toISOString()
    : `${day ? 'day' : ''}${time ? 'time' : ''}`;
}

describe('a date and time in ordinary words', () => {
  test.each([
    ['tomorrow at 10am', '2026-03-03T09:00:00.000Z'],
    ['next Monday 15:30', '2026-03-09T14:30:00.000Z'],
    ['friday at 9', '2026-03-06T08:00:00.000Z'],
    ['Monday 9am', '2026-03-09T08:00:00.000Z'],
    ['Monday 11am', '2026-03-02T10:00:00.000Z'],
    ['the day after tomorrow at quarter to 3', '2026-03-04T13:45:00.000Z'],
    ['half past ten tomorrow', '2026-03-03T09:30:00.000Z'],
    ['tomorrow at ten', '2026-03-03T09:00:00.000Z'],
    ['tomorrow at 3', '2026-03-03T14:00:00.000Z'],
    ['tomorrow at 3:30', '2026-03-03T14:30:00.000Z'],
    ['tomorrow at 3:00', '2026-03-03T14:00:00.000Z'],
    ['tomorrow at 3:05', '2026-03-03T14:05:00.000Z'],
    ['tomorrow at 5 past 3', '2026-03-03T14:05:00.000Z'],
    ['the 5th at 3', '2026-03-05T14:00:00.000Z'],
    ['2026-03-05 at 3', '2026-03-05T14:00:00.000Z'],
    ['tomorrow at 03:00', '2026-03-03T02:00:00.000Z'],
    ['2026-03-05 04:30', '2026-03-05T03:30:00.000Z'],
    ['2026-03-05T04:30', '2026-03-05T03:30:00.000Z'],
    ['2026-03-05T04:30:00Z', '2026-03-05T04:30:00.000Z'],
    ['2026-03-05T04:30:00+05:30', '2026-03-04T23:00:00.000Z'],
    ['tomorrow 10h', '2026-03-03T09:00:00.000Z'],
    ['tomorrow noon', '2026-03-03T11:00:00.000Z'],
    ['on the 12th at 4pm', '2026-03-12T15:00:00.000Z'],
    ['the 1st at 4pm', '2026-04-01T14:00:00.000Z'],
    ['March 9th at 2pm', '2026-03-09T13:00:00.000Z'],
    ['9 March 2026 14:00', '2026-03-09T13:00:00.000Z'],
    ['tuesday next week at 4pm', '2026-03-10T15:00:00.000Z'],
    ['next week tuesday at 4pm', '2026-03-10T15:00:00.000Z'],
    ['in 2 hours', '2026-03-02T11:00:00.000Z'],
    ['two days from now at 10am', '2026-03-04T09:00:00.000Z'],
    ['in two weeks at 10am', '2026-03-16T09:00:00.000Z'],
    ['2026-03-05T14:00', '2026-03-05T13:00:00.000Z'],
    ['2026-03-05 14:00', '2026-03-05T13:00:00.000Z'],
    ['2026-03-05T14:00:00Z', '2026-03-05T14:00:00.000Z'],
    ['2026-03-05T14:00:00+05:30', '2026-03-05T08:30:00.000Z'],
    ['tomorrow 10am EST', '2026-03-03T15:00:00.000Z'],
    ['today at 8am', '2026-03-02T07:00:00.000Z'],
    ['30 March 2026 at 10am', '2026-03-30T08:00:00.000Z'],
    ['25 October 2026 at 2:30am', '2026-10-25T00:30:00.000Z'],
    ['29 March 2026 at 2:30am', '2026-03-29T01:30:00.000Z'],
    ['a week from Wednesday at 4pm', '2026-03-11T15:00:00.000Z'],
    ['two weeks from tomorrow at 4pm', '2026-03-17T15:00:00.000Z'],
    ['at ten thirty tomorrow', '2026-03-03T09:30:00.000Z'],
    ['at twelve thirty tomorrow', '2026-03-03T11:30:00.000Z'],
    ['tomorrow at 10 to 3', '2026-03-03T13:50:00.000Z'],
    ['tomorrow at ten past four', '2026-03-03T15:10:00.000Z'],
    ['tomorrow at 1400', '2026-03-03T13:00:00.000Z'],
    ['book me in for 9 tomorrow morning', '2026-03-03T08:00:00.000Z'],
    ['at 9 tomorrow in the evening', '2026-03-03T20:00:00.000Z'],
    ['tomorrow at 6 in the morning', '2026-03-03T05:00:00.000Z'],
    ['10am two days ago', '2026-02-28T09:00:00.000Z'],
    ['last Monday at 10am', '2026-02-23T09:00:00.000Z'],
    ['last Friday at 10am', '2026-02-27T09:00:00.000Z'],
    ['the Monday after next at 10am', '2026-03-16T09:00:00.000Z'],
    ['Monday week at 10am', '2026-03-16T09:00:00.000Z'],
    ['tomorrow at half three', '2026-03-03T14:30:00.000Z'],
    ['tomorrow at half past 4pm', '2026-03-03T15:30:00.000Z'],
    ['tomorrow at quarter to 5pm', '2026-03-03T15:45:00.000Z'],
    ['tomorrow at 10 past 4pm', '2026-03-03T15:10:00.000Z'],
    ['half past six in the morning tomorrow', '2026-03-03T05:30:00.000Z'],
    ['tomorrow at 11 at night', '2026-03-03T22:00:00.000Z'],
    ['tonight at 12', '2026-03-02T23:00:00.000Z'],
    ['tonight at midnight', '2026-03-02T23:00:00.000Z'],
    ['an evening class tomorrow at noon', '2026-03-03T11:00:00.000Z'],
    ['my evening one to midday tomorrow', '2026-03-03T11:00:00.000Z'],
    ['tonight at 12:30', 'day'],
    ['tomorrow at 2 at night', 'day'],
    ['busy in the morning, tomorrow at 8 in the evening', '2026-03-03T19:00:00.000Z'],
    ['room 12 tomorrow at 10am', '2026-03-03T09:00:00.000Z'],
    ['room 12 tomorrow, at 10', '2026-03-03T09:00:00.000Z'],
    ['the day is all the same, at 10am', 'time'],
    ['Monday in two weeks at 10am', 'time'],
    ['in two weeks on Monday at 10am', 'time'],
    ['on Monday, no, on Tuesday at 10am', '2026-03-03T09:00:00.000Z'],
    ['on Tuesday at 10, sorry, at 11', '2026-03-03T10:00:00.000Z'],
    ['not tomorrow, on Friday at 10', '2026-03-06T09:00:00.000Z'],
    ['on Friday instead of Monday at 10, please', 'day'],
    ['on 01.12.2026 at 14:00', '2026-12-01T13:00:00.000Z'],
    ['on 1.4. at 14:00', '2026-04-01T12:00:00.000Z'],
    ['on 01/12/2026 at 14:00', '2026-12-01T13:00:00.000Z'],
    ['on 12/01/2026 at 14:00', '2026-12-01T13:00:00.000Z'],
    ['on 13/04/2026 at 14:00', '2026-04-13T12:00:00.000Z'],
    ['Friday 10am London time', '2026-03-06T10:00:00.000Z'],
    ['Friday 10am New York time', '2026-03-06T15:00:00.000Z'],
    ['Friday 10am Pacific time', '2026-03-06T18:00:00.000Z'],
    ['Friday 10am Eastern', '2026-03-06T15:00:00.000Z'],
    ['Friday 10:00 (Asia/Tokyo)', '2026-03-06T01:00:00.000Z'],
    ['Friday at 10 wash/cut', '2026-03-06T09:00:00.000Z'],
    ['Friday at EST 10am', '2026-03-06T15:00:00.000Z'],
    ['Tuesday, March 3 at 5pm PST', '2026-03-04T01:00:00.000Z'],
    ['Monday, March 9 at 8am AEST', '2026-03-08T22:00:00.000Z'],
    ['Friday 10am my time', '2026-03-06T09:00:00.000Z'],
    ['a 90 minute massage tomorrow at 3pm', '2026-03-03T14:00:00.000Z'],
    ['Friday 10am Springfield time', 'day'],
    ['any day except Monday at 10am', ''],
    ['tomorrow between 2 and 3pm', 'day'],
    ['tomorrow before noon', 'day'],
    ['tomorrow not before 10am', 'day'],
    ['tomorrow at 3 or 4', 'day'],
    ['Monday at 10 or Tuesday at 11', ''],
    ['Tuesday 23 November 2026 at 10am', 'time'],
    ['every Monday at 10am', 'time'],
    ['tomorrow', 'day'],
    ['tomorrow morning', 'day'],
    ['in 3 days', 'day'],
    ['10am', 'time'],
    ['next week', ''],
    ['in march', ''],
    ['book me now', ''],
  ])('%j', (text, expected) => {
    expect(start(text)).toBe(expected);
  });

  test.each(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])(
    'next Monday, said on a %s, is the coming one',
    (name) => {
      const offset = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].indexOf(name);
      expect(start('next Monday 15:30', NOW + offset * 86_400_000)).toBe('2026-03-09T14:30:00.000Z');
    },
  );

  it('is read in the zone of the conversation, on both sides of midnight', () => {
    const late = Date.UTC(2026, 2, 1, 23, 30);
    expect(start('tomorrow at 10am', late, 'Asia/Tokyo')).toBe('2026-03-03T01:00:00.000Z');
    expect(start('day after tomorrow at 10am', late, 'Asia/Tokyo')).toBe('2026-03-04T01:00:00.000Z');
    expect(start('monday 9am', late, 'Asia/Tokyo')).toBe('2026-03-02T00:00:00.000Z');
    expect(start('tomorrow at 10am', late, 'America/Los_Angeles')).toBe('2026-03-02T18:00:00.000Z');
  });

  test.each([
    ['2 March at 8pm', '2026-03-02T19:00:00.000Z'],
    ['Monday 2 March at 8pm', '2026-03-02T19:00:00.000Z'],
    ['2 March', 'day'],
    ['Monday, March 2nd', 'day'],
    ['2 March at 9am', '2026-03-02T08:00:00.000Z'],
    ['2 March at 8pm IST', '2026-03-02T14:30:00.000Z'],
    ['3 March at 5am NZDT', '2026-03-02T16:00:00.000Z'],
    ['1 March at 8pm', '2027-03-01T19:00:00.000Z'],
    ['2 March 2027 at 8pm', '2027-03-02T19:00:00.000Z'],
  ])('that lacks a year may be today in the afternoon: %j', (text, expected) => {
    const afternoon = NOW + 8 * 3_600_000;
    expect(start(text, afternoon)).toBe(expected);
    expect(readWhen(text.toLowerCase(), afternoon, ZONE).day).toMatchObject({
      year: Number(/20\d\d/.exec(expected)?.[0] ?? 2026),
    });
  });

  it('that this year lacks is the one of the next leap year', () => {
    const firstOfMarch = Date.UTC(2027, 2, 1, 14);
    expect(start('29 February at 9am', firstOfMarch)).toBe('2028-02-29T08:00:00.000Z');
    expect(start('Tuesday, February 29th at 9am', firstOfMarch)).toBe('2028-02-29T08:00:00.000Z');
  });

  it("on New Year's Eve is the next year's, whatever zone its time is named in", () => {
    const eve = Date.UTC(2026, 11, 31, 11);
    expect(start('1 January at 4am JST', eve, 'Asia/Tokyo')).toBe('2026-12-31T19:00:00.000Z');
    expect(start('Friday 1 January at 4am JST', eve, 'Asia/Tokyo')).toBe('2026-12-31T19:00:00.000Z');
  });

  it('runs from the next whole minute where it is counted from now', () => {
    expect(start('in two hours', NOW + 12_345)).toBe('2026-03-02T11:01:00.000Z');
  });

  it('may come with a length or an end', () => {
    expect(readWhen('tomorrow at 10am for 45 minutes', NOW, ZONE)).toMatchObject({
      length: { minutes: 45 },
      time: { hour: 10, minute: 0 },
    });
    expect(readWhen('tomorrow from 10am to 11:30am', NOW, ZONE)).toMatchObject({
      length: { minutes: 90 },
      time: { hour: 10, minute: 0 },
    });
    expect(readWhen('a 90 minute slot tomorrow at 10am', NOW, ZONE)).toMatchObject({ length: { minutes: 90 } });
  });

  it('may be a step from another time', () => {
    const steps = {
      'half an hour later': { days: 0, milliseconds: 1_800_000 },
      '2 days earlier': { days: -2, milliseconds: 0 },
      'push it back by an hour': { days: 0, milliseconds: 3_600_000 },
      'push it back a week': { days: 7, milliseconds: 0 },
      'postpone it by two days': { days: 2, milliseconds: 0 },
      'bring it forward by 30 minutes': { days: 0, milliseconds: -1_800_000 },
    };
    for (const [text, shift] of Object.entries(steps)) {
      const read = readWhen(text, NOW, ZONE);
      expect([text, read.shift?.days, read.shift?.milliseconds]).toEqual([text, shift.days, shift.milliseconds]);
      expect(read).toMatchObject({ day: null, time: null, instant: null });
    }
  });

  it('a day later is the same time of day, an hour later is an hour', () => {
    const eveOfSummerTime = Date.UTC(2026, 2, 28, 9);
    expect(shifted(eveOfSummerTime, { days: 1, milliseconds: 0 }, ZONE)).toBe(Date.UTC(2026, 2, 29, 8));
    expect(shifted(eveOfSummerTime, { days: 0, milliseconds: 86_400_000 }, ZONE)).toBe(Date.UTC(2026, 2, 29, 9));
  });

  it('may be an hour alone, after a question', () => {
    expect(readBareHour('10 please')).toMatchObject({ hour: 10, minute: 0 });
    expect(readBareHour('at three')).toMatchObject({ hour: 15, minute: 0 });
    expect(readBareHour('3:30')).toMatchObject({ hour: 15, minute: 30 });
    expect(readBareHour('03:30')).toMatchObject({ hour: 3, minute: 30 });
    expect(readBareHour('14 30')).toMatchObject({ hour: 14, minute: 30 });
    expect(readBareHour('25')).toBeNull();
    expect(readBareHour('10 people came')).toBeNull();
  });

  it('never fails, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'tomorrow',
            '10',
            ':',
            'at',
            '99th',
            '2026-13-45',
            'in',
            'week',
            'T25:00',
            'past',
            'half',
            '-',
            '31st',
            'Feb',
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          const { day, time, instant } = readWhen(parts.join(' '), NOW, ZONE);
          expect([day, time, instant]).toHaveLength(3);
        },
      ),
      { numRuns: 500 },
    );
  });
});
