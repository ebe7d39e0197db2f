import { momentOf, readWhen } from './when.js';

/** Sunday, 8 March 2026, 09:00 on Kiritimati, where each day begins first. */
const SUNDAY = Date.UTC(2026, 2, 7, 19);
const FIRST_ZONE = 'Pacific/Kiritimati';

function start(text: string, now: number, zone: string): string | null {
  const { day, time, zone: named } = readWhen(text.toLowerCase(), now, zone);
  return day && time ? new Date(momentOf(day, time, named ?? zone, now)).toISOString().slice(0, 16) : null;
}

describe('a weekday with a time in a zone', () => {
  it.each([
    ['Sunday 10am UTC+14', '2026-03-07T20:00'],
    ['Sunday at 10:00 GMT+14', '2026-03-07T20:00'],
    ['Sunday 8pm LINT', null],
    ['Sunday 8am UTC+14', '2026-03-14T18:00'],
    ['Sunday 11pm NZDT', '2026-03-08T10:00'],
    ['10am NZDT on Sunday', '2026-03-07T21:00'],
    ['Monday 8pm JST', '2026-03-09T11:00'],
  ])('is the next such moment, today where it is still to come: %s', (text, expected) => {
    expect(start(text, SUNDAY, FIRST_ZONE)).toBe(expected);
  });

  it.each(['Pacific/Kiritimati', 'Asia/Kolkata', 'Europe/London', 'America/Los_Angeles', 'Pacific/Pago_Pago'])(
    'is today all the hours before it, for a conversation in %s',
    (zone) => {
      const midnight = momentOf({ year: 2026, month: 1, day: 11, byWeekday: false }, { hour: 0, minute: 0 }, zone, 0);
      const offset = (Date.UTC(2026, 0, 11) - midnight) / 3_600_000;
      const named = `UTC${offset < 0 ? '-' : '+'}${Math.floor(Math.abs(offset))}:${offset % 1 === 0 ? '00' : '30'}`;
      for (let hour = 0; hour < 23; hour += 1) {
        const said = midnight + hour * 3_600_000;
        const expected = new Date(midnight + (hour + 1) * 3_600_000).toISOString().slice(0, 16);
        expect([hour, start(`Sunday ${String(hour + 1).padStart(2, '0')}:00 ${named}`, said, zone)]).toEqual([hour, expected]);
      }
    },
  );
});

const MONDAY = Date.UTC(2026, 2, 2, 9);

describe('a word behind a time', () => {
  it.each([
    'tomorrow at 10am, get me a receipt',
    'tomorrow 10am get well visit',
    '10am art class tomorrow',
    'tomorrow at 10am vet visit',
    'tomorrow at 10am, pet grooming',
    'tomorrow at 10am CT scan',
    '10am PT session tomorrow',
    'tomorrow at 10am, cat grooming',
    'tomorrow at 10am +1',
  ])('is no zone where it says something else: %s', (text) => {
    expect(start(text, MONDAY, 'UTC')).toBe('2026-03-03T10:00');
  });

  it.each(['tomorrow 10am vet', '10am CAT tomorrow', 'tomorrow at 10am ART.', '10am CAT the 5th', '10am ART June 5'])(
    'is asked about where it could be either: %s',
    (text) => {
      expect(start(text, MONDAY, 'UTC')).toBeNull();
    },
  );

  it.each([
    ['tomorrow at 10am EAT', '2026-03-03T07:00'],
    ['tomorrow 10am PT', '2026-03-03T18:00'],
    ['10am ET tomorrow', '2026-03-03T15:00'],
    ['tomorrow 10am, EST please', '2026-03-03T15:00'],
    ['10am IST haircut tomorrow', '2026-03-03T04:30'],
    ['tomorrow at 10am (GMT+2)', '2026-03-03T08:00'],
    ['tomorrow 10:00 +02:00', '2026-03-03T08:00'],
    ['tomorrow at 10am UTC-5', '2026-03-03T15:00'],
    ['tomorrow at 10am PT for my cat', '2026-03-03T18:00'],
    ['tomorrow at 10am PT with Anna', '2026-03-03T18:00'],
    ['10am ET massage tomorrow', '2026-03-03T15:00'],
    ['tomorrow at 10am CT (room 3)', '2026-03-03T16:00'],
    ['tomorrow at 10am, PT', '2026-03-03T18:00'],
    ['10am ET the 5th', '2026-03-05T15:00'],
    ['10am ET March 5', '2026-03-05T15:00'],
    ['10am EAT the day after tomorrow', '2026-03-04T07:00'],
    ['10am EAT March 5', '2026-03-05T07:00'],
    ['10am EAT Sat', '2026-03-07T07:00'],
    ['tomorrow at 10am EAT for my cat', '2026-03-03T07:00'],
    ['10am EAT in three days', '2026-03-05T07:00'],
  ])('is a zone where it is one: %s', (text, expected) => {
    expect(start(text, MONDAY, 'UTC')).toBe(expected);
  });

  it.each([
    ['10am PT on March 20', '2026-03-20T17:00'],
    ['10am ET on 9 March', '2026-03-09T14:00'],
    ['at 10am CET on 30 March', '2026-03-30T08:00'],
    ['June 5 at 10am CET', '2026-06-05T08:00'],
  ])('shows the time of the day that is wished for, in summer too: %s', (text, expected) => {
    expect(start(text, MONDAY, 'UTC')).toBe(expected);
  });

  it('leaves a range as long as it is, on the day it is', () => {
    for (const text of ['Monday 5pm PST to 6:30pm PST', 'Monday 5pm PST to 6:30pm', 'Monday from 5pm to 6:30pm PST']) {
      expect([text, start(text, MONDAY, 'UTC'), readWhen(text.toLowerCase(), MONDAY, 'UTC').length?.minutes]).toEqual([
        text,
        '2026-03-03T01:00',
        90,
      ]);
    }
  });
});
