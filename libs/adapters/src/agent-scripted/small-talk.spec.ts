import { readable } from './intent.js';
import { asksForHelp, greets, takesLeave, thanksOnly } from './small-talk.js';

describe('taking leave', () => {
  test.each([
    'bye',
    'Goodbye!',
    'good bye',
    'ok bye',
    "that's all",
    'That’s all, thanks',
    'thanks, done',
    'Thanks, done!',
    'thank you, goodbye',
    'that is all for today',
    "no, that's everything",
    'see you later',
    'done',
    "Great, that's all I needed, thank you!",
    'Have a nice day!',
  ])('%j does', (text) => {
    expect(takesLeave(readable(text))).toBe(true);
  });

  test.each([
    'is that all?',
    "that's all I know, what now?",
    'say goodbye to him',
    'the bylaws',
    'tell me when it is done',
    'are you done',
    'standby',
    'thanks',
  ])('%j does not', (text) => {
    expect(takesLeave(readable(text))).toBe(false);
  });
});

describe('small talk', () => {
  test.each(['hi', 'Hello!', 'good morning', 'hello there', "Hi again, it's me", 'hey, anyone there?'])(
    '%j only greets',
    (text) => {
      expect(greets(readable(text))).toBe('only');
    },
  );

  it('tells a greeting from what follows it', () => {
    expect(greets(readable('Hello, my order is late'))).toBe('and more');
    expect(greets(readable('History is long'))).toBe('no');
  });

  it('knows thanks that want nothing more', () => {
    expect(thanksOnly(readable('Great, thank you so much!'))).toBe(true);
    expect(thanksOnly(readable('thanks, but when?'))).toBe(false);
  });

  it('knows a call for help', () => {
    expect(asksForHelp(readable('What can you do?'))).toBe(true);
    expect(asksForHelp(readable('help the plants'))).toBe(false);
  });
});
