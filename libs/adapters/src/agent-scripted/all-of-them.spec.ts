import { makesExceptions, meansAll } from './all-of-them.js';

describe('cancelling all', () => {
  test.each([
    'cancel all my appointments',
    'please cancel both of them',
    'cancel everything',
    'cancel all, please',
    'cancel them all',
  ])('%j orders it', (text) => {
    expect(meansAll(text, false)).toBe(true);
  });

  test.each(['both', 'all of them please', 'cancel everything', 'yes, all'])('%j answers "which one" with it', (text) => {
    expect(meansAll(text, true)).toBe(true);
  });

  test.each([
    "cancel my haircut, that's all",
    'cancel my haircut. after all i am ill.',
    'i want to cancel my haircut, not all of them',
    'cancel my appointment on wednesday, we are all ill',
    'all right, the first',
  ])('%j does not mean it', (text) => {
    expect(meansAll(text, true)).toBe(false);
  });

  test.each(['cancel everything except the 10am one', 'cancel all but the massage', 'cancel all, not everything though'])(
    '%j makes exceptions',
    (text) => {
      expect(makesExceptions(text)).toBe(true);
    },
  );
});
