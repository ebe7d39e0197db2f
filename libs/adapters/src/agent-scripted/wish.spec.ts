import { bookingWish, nameOfFurther, movingWish } from './wish.js';

/** Monday, 2 March 2026, 09:00 UTC. */
const NOW = Date.UTC(2026, 2, 2, 9);

const saying = (...texts: string[]) => texts.map((text) => ({ text, at: NOW, answering: null }));
const FRIDAY = { day: 6, month: 3 };

describe('a wish to book', () => {
  it.each([
    ['10am est', { hour: 10, minute: 0 }, 'UTC-5'],
    ['15:00 utc', { hour: 15, minute: 0 }, 'UTC'],
  ])('keeps the day it named when %s names the time', (answer, time, zone) => {
    expect(bookingWish(saying('book an appointment on friday', answer), 'Europe/Berlin').when).toMatchObject({
      day: FRIDAY,
      time,
      zone,
    });
  });

  it('lets a day go that is denied later', () => {
    const { when, service } = bookingWish(saying('book a massage tomorrow', 'not tomorrow, on friday', 'at 3pm'), 'UTC');
    expect([when, service]).toMatchObject([{ day: FRIDAY, time: { hour: 15 } }, 'massage']);
  });

  it('means the service named last', () => {
    expect(bookingWish(saying('book a massage', 'actually i want a haircut', 'tomorrow at 3pm'), 'UTC').service).toBe('haircut');
  });

  it('is the first of two, and knows of the second', () => {
    const [said] = saying('book a haircut tomorrow at 10am and a massage on monday at 3pm');
    if (said === undefined) throw new Error('nothing said');
    const { service, when, further } = bookingWish([said], 'UTC');
    expect([service, when.day, when.time, nameOfFurther(further ?? '')]).toMatchObject([
      'haircut',
      { day: 3 },
      { hour: 10, minute: 0 },
      'massage',
    ]);
  });

  it.each(['book a cut and a color tomorrow at 3pm', 'book a haircut tomorrow at 10am and confirm it'])(
    'is one where one time is named: %s',
    (text) => {
      expect(bookingWish(saying(text), 'UTC').further).toBeNull();
    },
  );
});

describe('a wish to move', () => {
  it.each([
    ['move it to 11', { hour: 11, minute: 0 }],
    ['make it 11', { hour: 11, minute: 0 }],
    ['move my appointment to quarter to five', { hour: 16, minute: 45 }],
    ['move it from 10 to 3', { hour: 15, minute: 0 }],
    ['i am able to come at 11, please move it', { hour: 11, minute: 0 }],
  ])('%s', (text, time) => {
    expect(movingWish(saying(text), 'UTC').when).toMatchObject({ day: null, time });
  });
});
