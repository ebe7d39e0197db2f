import type { TranscriptLine } from '@ports/agent.port';
import { NO_MEMORY, agentTurn } from '@testing/agent-turn';
import { Dialogue } from './dialogue.js';

const NOON = Date.UTC(2026, 2, 2, 12);
const MINUTE_MS = 60_000;
const at = (minutes: number) => NOON + minutes * MINUTE_MS;
const user = (content: string, minutes: number): TranscriptLine => ({ role: 'user', content, at: at(minutes) });
const assistant = (content: string, minutes: number): TranscriptLine => ({ role: 'assistant', content, at: at(minutes) });
const human = (content: string, minutes: number, name = 'Kim'): TranscriptLine => ({
  ...assistant(content, minutes),
  human: name,
});

const LINES = [
  user('I want my money back', -2),
  assistant('I connect you.', -1),
  user('Hello?', 1),
  human('You get\n20 euros.', 2),
  user('Thanks', 3),
  assistant('Anything else?', 11),
  user('When is my appointment?', 12),
];
const handedBack = { handedOffAt: at(0), resumedAt: at(10), note: null as string | null };

function told(lines: readonly TranscriptLine[], note: string | null = null): Dialogue {
  return new Dialogue(agentTurn({ content: 'x', handedBack: { ...handedBack, note } }), lines, NO_MEMORY);
}
const head = ({ messages }: Dialogue) => JSON.parse(JSON.stringify(messages[0]?.content)) as string;
const noteOf = (dialogue: Dialogue) => head(dialogue).split('\n\n').at(-1)?.split('\n') ?? [];

describe('a model to which a human gave the conversation back', () => {
  it('is told when, what the human wants it to know, and who said what meanwhile', () => {
    expect(noteOf(told(LINES, 'Paid by\nvoucher.'))).toEqual([
      expect.stringMatching(/^A human colleague had this conversation from 2026-03-02T12:00:00.000Z to 2026-03-02T12:10:00.000Z/),
      'What the colleague wants you to know: Paid by voucher.',
      'What was said meanwhile:',
      '- 2026-03-02T12:01:00.000Z user: Hello?',
      '- 2026-03-02T12:02:00.000Z Kim (human colleague): You get 20 euros.',
      '- 2026-03-02T12:03:00.000Z user: Thanks',
    ]);
  });

  it('is told nothing of what there is not: a note, words', () => {
    expect(noteOf(told([user('Hi', 12)]))).toHaveLength(1);
    expect(head(new Dialogue(agentTurn({ content: 'x' }), LINES, NO_MEMORY))).not.toContain('colleague');
  });

  it('is told 500 code points of each message, and the newest within 16,000', () => {
    const lines = Array.from({ length: 60 }, (_, index) => human(`${index} ${'👍'.repeat(600)}`, 1));
    const said = noteOf(told([...lines, user('Hi', 12)])).slice(2);
    expect(said.at(-1)).toMatch(/: 59 👍+$/u);
    expect([...(said.at(-1)?.split('colleague): ')[1] ?? '')]).toHaveLength(500);
    expect([...said.join('\n')].length).toBeLessThanOrEqual(16_000);
    expect(said.length).toBeGreaterThan(25);
  });

  it("sees a human's messages as an assistant's with their author, also among joined ones", () => {
    const dialogue = told(LINES);
    const line = { role: 'assistant', content: '[Kim, human colleague:] You get\n20 euros.' };
    expect(dialogue.messages).toContainEqual(line);
    dialogue.become('turns', [], true);
    expect(dialogue.messages).toContainEqual(line);
    expect(told([human('Hi', 1, 'A\nB'), user('x', 12)]).messages[1]?.content).toBe('[A B, human colleague:] Hi');
  });

  it('is told less of what was said meanwhile by a shorter prompt, but that there was a human', () => {
    const dialogue = told([...LINES.slice(0, -1), user('x'.repeat(3_000), 11), user('Well?', 12)]);
    for (let count = 0; count < 2; count += 1) dialogue.become('less', [], true);
    expect(head(dialogue)).toContain('A human colleague had');
    expect(head(dialogue)).not.toContain('said meanwhile');
    dialogue.become('least', [], true);
    expect(head(dialogue)).not.toContain('colleague');
  });

  it('is told by its memory which messages of earlier conversations were a human’s', () => {
    const conversations = [{ startedAt: NOON, endReason: 'idle', lines: [human('Bye', 1)] }];
    const dialogue = new Dialogue(agentTurn({ content: 'x' }), LINES.slice(-1), { appointments: [], conversations });
    expect(head(dialogue)).toContain('- 2026-03-02T12:01:00.000Z Kim (human colleague): Bye');
  });
});
