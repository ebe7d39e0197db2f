import { spoken } from './spoken.js';

describe('the thoughts of a model', () => {
  it.each([
    ['before its words', '<think>\nThe customer is rude.\n</think>\n\nHello!', '\n\nHello!'],
    ['under another name', ' <thinking>Hm.</thinking>Hello!', 'Hello!'],
    ['in several parts', '<think>One.</think>\n<think>Two.</think>Hello!', 'Hello!'],
    ['whose beginning was left out', 'The customer is rude.\n</think>\n\nHello!', '\n\nHello!'],
    ['that were cut off', '<think>\nThe customer is', ''],
    ['that were none', '<think>\n\n</think>\n\nHello!', '\n\nHello!'],
  ])('are not said to the customer: %s', (_where, text, said) => expect(spoken(text)).toBe(said));

  it.each(['Hello!', 'Write `<think>` and then `</think>`.', 'I <think> so', '<thinker>Rodin</thinker>'])(
    'are no other words: %s',
    (text) => expect(spoken(text)).toBe(text),
  );

  it('are found in a long text at once', () => {
    const text = '<think>'.repeat(100_000);
    expect([spoken(text), spoken(` ${'x'.repeat(1_000_000)}`).length]).toEqual(['', 1_000_001]);
  });
});
