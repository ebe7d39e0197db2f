import { AT_THE_BEGINNING, speakable } from './speakable.js';

const TOOLS = ['find_appointments', 'book_appointment'];

/** What is said after each of the pieces. */
function saidAfter(...pieces: readonly string[]): readonly string[] {
  let progress = AT_THE_BEGINNING;
  let text = '';
  let said = '';
  return pieces.map((piece) => {
    text += piece;
    const judged = speakable(text, progress, TOOLS);
    ({ progress } = judged);
    said += judged.words;
    return said;
  });
}
const saidOf = (text: string) => saidAfter(...text).at(-1);

describe('a text that is still written', () => {
  it('is said as it comes, but for white space that may be its end', () => {
    expect(saidAfter('Hello', ' Anna', ',\n\n', 'we', ' open')).toEqual([
      'Hello',
      'Hello Anna',
      'Hello Anna,',
      'Hello Anna,\n\nwe',
      'Hello Anna,\n\nwe open',
    ]);
  });

  it.each([
    '- one\n- two\n  * three\n1. four',
    '# Head\n\n**Bold** and _slanted_',
    'It is 2 < 3, and I <3 you!',
    'See [our page](https://example.com/a?b=c&d=e), or ![a picture](x.png).',
    '[Our page](https://example.com)',
    '- [ ] open\n- [x] done',
    'Run `npm start`:\n\n```sh\nnpm start\n```\n\nThen wait.',
    '| day | time |\n|---|---|\n| Monday | 9:00 |',
    'He said "yes" and “no”. It’s R&D; it\'s fine',
    'Call us at 030 123, or name a day',
    'Here is your appointment',
    'Finally we are open',
    'Thinking of you',
    'I book it for you',
    '您好，我们九点开门',
    '👍 Sure',
  ])('is said whole where nothing in it is suspicious: %s', (text) => expect(saidOf(text)).toBe(text));

  it.each([
    ['We open <', 'We open'],
    ['We open <b>now</b>', 'We open'],
    ['We open {"a":1}', 'We open'],
    ['We open\nAct', 'We open'],
    ['We open\n**Action:** search', 'We open'],
    ['We open ```', 'We open'],
    ['We open ```tool_code\nx', 'We open'],
    ['We open [THINK', 'We open'],
    ['We open "name', 'We open'],
    ['We open "name": "x"', 'We open'],
    ['We open ◁think▷', 'We open'],
    ['We open &lt;tool', 'We open'],
    ['We can book', 'We can'],
    ['We can book_appointment()', 'We can'],
    ['We can BOOK_APPOINTMENT', 'We can'],
  ])('is said up to what may be a mark or a call: %j', (text, said) => expect(saidOf(text)).toBe(said));

  it.each([
    ['We open <', ' 9 o’clock', 'We open < 9 o’clock'],
    ['We open\nAct', 'ually', 'We open\nActually'],
    ['We open `', 'now`.', 'We open `now`.'],
    ['We can book', ' it', 'We can book it'],
    ['We say "name', 'd".', 'We say "named".'],
    ['We open &', ' close', 'We open & close'],
    ['Thou', 'sands', 'Thousands'],
  ])('goes on once that is known to be none: %j, %j', (before, behind, said) => {
    expect(saidAfter(before, behind).at(-1)).toBe(said);
    expect(saidAfter(before)[0]?.length).toBeLessThan(before.length);
  });

  it.each([
    '<think>Hm. </think',
    '<|channel|>final<|message|>Hello',
    'analysisHm.assistantfinalHello',
    "Here's my thought process: Hm. Here's my response: Hello",
    'Thinking...\nHm.\n...done thinking.\n\nHello',
    'Thought: Hm.\nFinal Answer: Hello',
    '```thinking\nHm.\n```\nHello',
    '<|im_start|>assistant\nHello',
    '<answer>Hello</answer>',
    '{"name":"find_appointments"}',
    '[find_appointments()]',
    'find_appointments()',
    'to=functions.find_appointments {}',
    'Tool: find_appointments',
    '```json\n{"name":"find_appointments"}\n```',
    ' **Action:** find_appointments',
  ])('is not said at all: %j', (text) => expect(saidOf(text)).toBe(''));

  it('goes on behind thoughts with which it begins', () => {
    expect(saidAfter('<thi', 'nk>Hm', '.</think>', '\n\n', 'Hello', ' you')).toEqual(['', '', '', '', 'Hello', 'Hello you']);
    expect(saidOf('<think>One.</think>\n[THINK]Two.[/THINK]Hello')).toBe('Hello');
    expect(saidOf('<think>Hm.</think>{"name":"find_appointments"}')).toBe('');
    expect(saidOf('<think>Hm.<|im_end|></think>Hello')).toBe('');
  });

  it.each([
    'x',
    ' ',
    '<think>',
    '<think>x',
    '<',
    '[',
    '\n',
    '1 ',
    '`',
    '"',
    'Hello </',
    '<think></think>',
    '<think></a>',
    'call ',
  ])('of nothing but %j is judged at once, though it comes in many pieces', (part) => {
    const began = process.cpuUsage();
    let progress = AT_THE_BEGINNING;
    for (let length = 0; length <= 60_000; length += 10) {
      ({ progress } = speakable(part.repeat(length / part.length), progress, TOOLS));
    }
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
  });
});
