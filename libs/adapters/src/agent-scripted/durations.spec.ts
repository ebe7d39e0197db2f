import { durationsIn } from './durations.js';

describe('how long something lasts', () => {
  test.each([
    ['a 90 minute massage', 90],
    ['for 1.5 hours', 90],
    ['for two and a half hours', 150],
    ['an hour-long massage', 60],
    ['for an hour and a half', 90],
    ['a 2-hour massage', 120],
    ['for 1h', 60],
    ['for 1h30', 90],
    ['a half-hour massage', 30],
    ['for two hours and 15 minutes', 135],
    ['tomorrow at 3pm, forty-five minutes', 45],
    ['tomorrow 10h', null],
    ['just a minute', null],
    ['two hours before noon', null],
    ['10 minutes to 3', null],
  ])('%j', (text, minutes) => {
    expect(durationsIn(text)).toMatchObject({ minutes, fromNow: null, shift: null });
  });
});

it('a length after "in" runs from now', () => {
  expect(durationsIn('in an hour and a half')).toMatchObject({ minutes: null, fromNow: 5_400_000 });
  expect(durationsIn('in 2 hours for 90 minutes')).toMatchObject({ minutes: 90, fromNow: 7_200_000 });
});

test.each(['the next day', 'the day after', '9am on the following day'])('%j is a step of one day', (text) => {
  expect(durationsIn(text).shift).toEqual({ days: 1, milliseconds: 0 });
});
