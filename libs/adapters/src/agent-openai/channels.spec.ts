import { channelsOf } from './channels.js';
import { readAnswer } from './model-answer.js';

const answer = (content: string) => readAnswer({ choices: [{ message: { content } }] }, ['book_appointment']);

describe('the channels of a model', () => {
  it.each([
    [
      'with all tokens',
      '<|channel|>analysis<|message|>A rude one.<|end|><|start|>assistant<|channel|>final<|message|>We open at 9.<|return|>',
    ],
    [
      'whose first token stood in the prompt',
      'analysis<|message|>A rude one.<|end|><|start|>assistant<|channel|>final<|message|>We open at 9.',
    ],
    ['whose tokens were lost', 'analysisA rude one.assistantfinalWe open at 9.'],
    [
      'with a preamble',
      '<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>final<|message|>We open at 9.',
    ],
  ])('leave the final one to be told: %s', (_, content) => {
    expect(answer(content)).toMatchObject({ content: 'We open at 9.', calls: [], fault: null });
  });

  it.each(['<|channel|>analysis<|message|>A rude one', '<|channel|>analysis<|message|>A rude one.<|end|>'])(
    'leave nothing to be told where the final one is missing: %s',
    (content) => expect(answer(content).content).toBe(''),
  );

  it.each([
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.book_appointment <|constrain|>json<|message|>{"service":"cut"}<|call|>',
    '<|start|>assistant<|channel|>commentary to=functions.book_appointment json<|message|>{"service":"cut"}',
    '<|start|>assistant to=functions.book_appointment<|channel|>commentary json<|message|>{"service":"cut"}<|call|>',
    'analysisHm.assistantcommentary to=functions.book_appointment json{"service":"cut"}',
  ])('may call a tool: %s', (content) => {
    expect(answer(content)).toMatchObject({ content: '', calls: [{ name: 'book_appointment', args: { service: 'cut' } }] });
  });

  it('are none of a usual text', () => {
    for (const text of ['Hello!', 'In the final analysis, yes.', 'analysis of the final assistant'])
      expect([channelsOf(text), answer(text).content]).toEqual([null, text]);
  });
});
