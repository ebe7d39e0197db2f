import { mayAnswer, retracts, saysNo, saysYes, takesBack } from './answers.js';
import { readable } from './intent.js';

describe('a yes', () => {
  test.each(['yes', 'Yes please!', 'ok, do it', 'sure, thanks', 'yes, confirm it', 'That works for me, thank you', 'please do'])(
    '%j is one',
    (text) => {
      expect(saysYes(readable(text))).toBe(true);
    },
  );

  test.each([
    "please don't",
    'please not',
    'ok no',
    'ok, never mind',
    'please wait',
    'please leave it',
    'fine, no',
    'right now I am not sure',
    'ok what does it cost?',
    'perfect, but is 11 possible?',
    'correct it to 11',
    'exactly 11 would be better',
    'yes but at 11',
  ])('%j is none', (text) => {
    expect(saysYes(readable(text))).toBe(false);
  });
});

describe('a no, or taking back', () => {
  test.each([
    "please don't",
    'please not',
    'ok no',
    'fine, no',
    'ok, never mind',
    'ok forget it',
    "please don't move my appointment",
    'please wait',
    'please hold on',
    'please leave it',
    'not sure',
  ])('%j is one', (text) => {
    expect(saysNo(readable(text)) || takesBack(readable(text))).toBe(true);
  });

  test.each(['no problem', 'yes', 'nothing'])('%j is none', (text) => {
    expect(saysNo(readable(text)) || takesBack(readable(text))).toBe(false);
  });
});

describe('an order that is taken back by whoever gives it', () => {
  test.each([
    'book tomorrow at 10? no',
    'Book tomorrow, at 10? No thanks.',
    'book tomorrow at 10, is that ok? no',
    'book tomorrow at 10, is it still free? no',
    'book tomorrow at 10, would it be better in the evening? no',
    'Will it hurt? Cancel it? No',
    "cancel it. No, don't",
    'cancel my cleaning, do I have to? no',
    'book tomorrow at 10, do I need to do that? No.',
    'cancel my cleaning, is it necessary? no',
  ])('%j is one', (text) => {
    expect(retracts(readable(text))).toBe(true);
  });

  test.each([
    'Please book tomorrow at 10, will it hurt? no',
    'book tomorrow at 10 and will it hurt? No.',
    'move it to Friday at 9 - does it cost anything? no thanks',
    'cancel my cleaning, do I need to pay? no',
    'Book tomorrow at 10. Will it hurt? No.',
    'book tomorrow at 10, is there a deposit needed? no',
    'book tomorrow at 10, do I need to bring what is necessary? No',
    'move it to 3pm, does she need to? no',
  ])('%j is none', (text) => {
    expect(retracts(readable(text))).toBe(false);
  });
});

describe('a message that may answer a question', () => {
  test.each([
    'tomorrow',
    '10am',
    'at ten',
    '10',
    'next Monday 15:30',
    '2026-03-05',
    'yes please',
    'no',
    'the first one',
    'the haircut',
    'on the 12th',
    'never mind',
    'all of them',
    'actually I want a haircut',
  ])('%j may', (text) => {
    expect(mayAnswer(readable(text))).toBe(true);
  });

  test.each([
    'Hello, is parking free on site?',
    'message 42',
    'my order 4711 is late',
    'where are you located',
    'what do you charge',
  ])('%j may not, so that nothing is read for it', (text) => {
    expect(mayAnswer(readable(text))).toBe(false);
  });
});
