import { momentOf, readWhen } from './when.js';

/** Monday, 2 March 2026, 09:00. */
const NOW = Date.UTC(2026, 2, 2, 9);

function start(text: string): string {
  const { day, time } = readWhen(text, NOW, 'UTC');
  return day && time ? new Date(momentOf(day, time, 'UTC', NOW)).toISOString().slice(0, 10) : 'no day';
}

describe('a day that is counted from another', () => {
  it.each([
    ['a week on friday at 10am', '2026-03-13'],
    ['a week friday at 10am', '2026-03-13'],
    ['two weeks on tuesday at 10am', '2026-03-17'],
    ['a week tomorrow at 10am', '2026-03-10'],
    ['a week from friday at 10am', '2026-03-13'],
    ['three days from friday at 10am', '2026-03-09'],
    ['10am, in a week on friday', 'no day'],
    ['monday of the week after next at 10am', 'no day'],
    ['the week after next on tuesday at 10am', 'no day'],
  ])('is that one, and is asked for where it could be two: %s', (text, expected) => {
    expect(start(text)).toBe(expected);
  });
});

describe('a day of next month', () => {
  it.each([
    ['the 5th of next month at 10am', '2026-04-05'],
    ['next month on the 5th at 10am', '2026-04-05'],
    ['10am on the 1st next month', '2026-04-01'],
    ['the 31st of next month at 10am', 'no day'],
    ['the 5th at 10am', '2026-03-05'],
  ])('is not one of this month: %s', (text, expected) => {
    expect(start(text)).toBe(expected);
  });
});
