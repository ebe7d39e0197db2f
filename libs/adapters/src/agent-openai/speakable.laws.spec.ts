import fc from 'fast-check';
import { readAnswer } from './model-answer.js';
import { AT_THE_BEGINNING, speakable } from './speakable.js';

const TOOLS = ['find_appointments', 'book_appointment', 'end_conversation'];
const SECRET = 'sesame';
const CALL = `{"name":"book_appointment","arguments":{"service":"${SECRET}"}}`;

const among = (...lines: readonly string[]) => lines.flatMap((line) => line.split('¦'));
const INNOCENT = among(
  'Hello¦We open at 9¦book¦Call us¦to¦.¦, ¦ ¦\n¦\n\n¦- one\n¦* two¦1. ¦**bold**¦# Head\n¦(see below)¦Action¦final¦Thought¦assistant',
  '2 < 3¦<3 ¦[words](https://example.com)¦`code`¦```js\n¦```\n¦"quoted"¦it\'s¦“name”¦&¦R&D¦[ ] task¦|¦{¦[',
  "Here's my¦Ünïcödé¦👍¦您好¦\0¦\ud83d¦\udc4d",
);
const MARKS = among(
  '<think>¦</think>¦[THINK]¦[/THINK]¦◁think▷¦◁/think▷¦<|channel>thought¦<channel|>¦<my_inner_thought x="1">¦<answer>¦</answer>',
  '<|channel|>¦<|message|>¦<|end|>¦<|im_start|>assistant\n¦<|im_end|>¦</s>¦<|end_message|>¦analysis¦final¦assistantfinal¦<¦<|¦`',
  "Here's my thought process:¦Here's my response:¦Thinking...¦...done thinking.¦Thought:¦Action:¦Action Input:¦Observation:",
  'Final Answer:¦```thinking\n¦[BEGIN FINAL RESPONSE]',
);
/** Each a word of its own: nobody can tell from `Hello|` that `find_appointments` follows. */
const CALLS = among(
  `${CALL}¦<tool_call>${CALL}</tool_call>¦[TOOL_CALLS][${CALL}]¦book_appointment(service="${SECRET}")¦\`\`\`json\n${CALL}\n\`\`\``,
  'find_appointments¦find_appointments()¦functions.book_appointment¦to=functions.find_appointments¦functions¦Tool: ¦result = ',
  '"name": "search", "arguments": {}¦&lt;tool_call&gt;¦```tool_code\n¦"tool_uses":¦{"name":"mcp__app__book_appointment_0"}',
).map((call) => ` ${call}`);

const cutAnywhere = fc.array(fc.nat(40), { maxLength: 12 });

/** What is said of a text that comes in pieces of these lengths, whose rest comes at once. */
function saidOf(text: string, lengths: readonly number[]): string {
  let progress = AT_THE_BEGINNING;
  let said = '';
  let heard = 0;
  for (const length of [...lengths, text.length]) {
    heard = Math.min(text.length, heard + length);
    const judged = speakable(text.slice(0, heard), progress, TOOLS);
    said += judged.words;
    ({ progress } = judged);
  }
  return said;
}

function replyOf(text: string) {
  const { content, ...answer } = readAnswer({ choices: [{ finish_reason: 'stop', message: { content: text } }] }, TOOLS);
  return { ...answer, content: content.toWellFormed().replaceAll('\0', '').trim() };
}

const mixed = (...parts: readonly (readonly string[])[]) =>
  fc.array(fc.oneof(...parts.map((each) => fc.constantFrom(...each))), { maxLength: 12 }).map((each) => each.join(''));

describe('what is said of a text before it is complete', () => {
  it('is how its reply begins, unless it turns out to have thoughts at its beginning or a call among its words', () => {
    fc.assert(
      fc.property(mixed(INNOCENT, INNOCENT, MARKS, CALLS), cutAnywhere, (text, lengths) => {
        const said = saidOf(text, lengths);
        const { content, calls, fault, beganInThoughts } = replyOf(text);
        if (beganInThoughts || fault === 'unreadable_call' || (text.includes('<|channel|>') && !content.startsWith(said))) return;
        expect(calls.length > 0 ? '' : content.slice(0, said.length)).toBe(said);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is how its reply begins, of any text without a mark', () => {
    fc.assert(
      fc.property(fc.oneof(mixed(INNOCENT), fc.string({ unit: 'grapheme' }), fc.string()), cutAnywhere, (text, lengths) => {
        const said = saidOf(text, lengths);
        expect(replyOf(text).content.slice(0, said.length)).toBe(said);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is nothing of thoughts between their marks, and of calls', () => {
    const thought = mixed(INNOCENT, [SECRET]);
    const around = fc.constantFrom(
      ['<think>', '</think>'],
      ['[THINK]', '[/THINK]'],
      ['◁think▷', '◁/think▷'],
      ['<|channel>thought\n', '<channel|>'],
    );
    const thoughts = fc.tuple(around, thought).map(([[open, close], words]) => `${open}${words}${close}`);
    const part = fc.oneof(mixed(INNOCENT), thoughts, fc.constantFrom(...CALLS));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), cutAnywhere, (parts, lengths) => {
        expect(saidOf(parts.join(''), lengths)).not.toContain(SECRET);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is all of plain words, but for the last one', () => {
    const word = fc.constantFrom(
      'We',
      'open',
      'at',
      'nine',
      'o’clock,',
      'and',
      'booked',
      '**you**',
      '2 < 3',
      '(all)',
      '_day_.',
      '\n- item',
      '👍',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 3, maxLength: 60 }), cutAnywhere, (words, lengths) => {
        const text = `Hello ${words.join(' ')}`;
        expect(text.startsWith(saidOf(text, lengths))).toBe(true);
        expect(text.length - saidOf(text, lengths).length).toBeLessThan(10);
      }),
    );
  });
});
