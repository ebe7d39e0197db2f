import type { CustomerMemory, TranscriptLine } from '@ports/agent.port';
import { NO_MEMORY, agentTurn } from '@testing/agent-turn';
import { Dialogue, type Remedy } from './dialogue.js';

const said = (...lines: string[]): TranscriptLine[] =>
  lines.map((content, at) => ({ role: content.startsWith('A') ? 'assistant' : 'user', content, at }));
const spoken = (lines: readonly TranscriptLine[], memory = NO_MEMORY) =>
  new Dialogue(agentTurn({ content: '', instructions: 'Be kind.' }), lines, memory);
const become = (dialogue: Dialogue, ...remedies: Remedy[]) => remedies.map((remedy) => dialogue.become(remedy, [], true));
const told = (dialogue: Dialogue) => dialogue.messages.slice(1).map(({ role, content }) => [role, content]);
const headOf = ({ messages }: Dialogue) => JSON.parse(JSON.stringify(messages[0]?.content)) as string;
const CALL = { role: 'assistant', content: null } as const;
const RESULT = { role: 'tool', tool_call_id: 'own', content: '{}' } as const;

describe('a dialogue', () => {
  it('is told as it was', () => {
    const dialogue = spoken(said('A0', 'Q1', 'Q2', 'A2', 'Q3'));
    expect(dialogue.messages[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Be kind\./) });
    expect(told(dialogue)).toEqual([
      ['assistant', 'A0'],
      ['user', 'Q1'],
      ['user', 'Q2'],
      ['assistant', 'A2'],
      ['user', 'Q3'],
    ]);
  });

  it('is told in turns, the customer first, to a server that is strict', () => {
    const dialogue = spoken(said('A0', 'Q1', 'Q2', 'A1', 'A2', 'Q3'));
    expect(become(dialogue, 'turns')).toEqual([true]);
    expect(told(dialogue)).toEqual([
      ['user', 'Q1\n\nQ2'],
      ['assistant', 'A1\n\nA2'],
      ['user', 'Q3'],
    ]);
  });

  it('is told without messages of nothing but white space, to a server that is strict, but for the last', () => {
    const dialogue = spoken(said(' ', 'A0', 'Q1', '\n', 'A1', ' '));
    expect(become(dialogue, 'turns')).toEqual([true]);
    expect(told(dialogue)).toEqual([
      ['user', 'Q1'],
      ['assistant', 'A1'],
      ['user', ' '],
    ]);
  });

  it('is told with the thoughts before each call, to a server that is strict', () => {
    const dialogue = spoken(said('Q1'));
    dialogue.add(CALL, 'A haircut, then.');
    dialogue.add(RESULT);
    expect(JSON.stringify(dialogue.messages)).not.toContain('haircut');
    expect(become(dialogue, 'turns')).toEqual([true]);
    expect(dialogue.messages.slice(2)).toEqual([{ ...CALL, reasoning_content: 'A haircut, then.' }, RESULT]);
  });

  it('is told with thoughts beside every call, be they empty, to a server that refuses that too', () => {
    const dialogue = spoken(said('Q1'));
    dialogue.add(CALL, 'A haircut, then.');
    dialogue.add(RESULT);
    dialogue.add(CALL);
    expect(become(dialogue, 'turns', 'thoughts', 'thoughts')).toEqual([true, true, false]);
    expect(dialogue.messages.slice(2)).toEqual([
      { ...CALL, reasoning_content: 'A haircut, then.' },
      RESULT,
      { ...CALL, reasoning_content: '' },
    ]);
  });

  it('is told in no other form that is the same', () => {
    expect(become(spoken(said('Q1', 'A1', 'Q2')), 'turns', 'thoughts', 'no_tool_choice')).toEqual([false, false, false]);
    expect(become(spoken(said('Q1')), 'less', 'least')).toEqual([true, false]);
  });

  it('is told in turns before it is told with empty thoughts, which some servers refuse', () => {
    const dialogue = spoken(said('Q1', 'Q2'));
    dialogue.add(CALL);
    expect(become(dialogue, 'turns')).toEqual([true]);
    expect(dialogue.messages.slice(1)).toEqual([{ role: 'user', content: 'Q1\n\nQ2' }, CALL]);
  });

  it.each([
    ['of the customer', said('Q1', 'A1', 'Q2'), ['user', 'assistant', 'user'], 'Q1'],
    ['of the agent', said('A0', 'Q1'), ['user', 'assistant', 'user'], ''],
  ])('has its instructions in a first message %s for a server without a system role', (_, lines, roles, first) => {
    const dialogue = spoken(lines);
    expect(become(dialogue, 'no_system', 'no_system')).toEqual([true, false]);
    expect(dialogue.messages.map(({ role }) => role)).toEqual(roles);
    expect(headOf(dialogue)).toMatch(new RegExp(`^Be kind\\.[\\s\\S]*${first}$`));
  });

  it('keeps its roles and tools once the model has called some', () => {
    const dialogue = spoken(said('Q1'));
    dialogue.add(CALL);
    expect(become(dialogue, 'no_system', 'no_tools')).toEqual([false, false]);
  });
});

describe('a dialogue of which less is told', () => {
  const past: CustomerMemory = {
    appointments: [],
    conversations: [
      { startedAt: 0, endReason: 'idle', lines: [...said('Qearlier'), { role: 'user', content: 'Qbad', at: 1, failed: true }] },
    ],
  };
  const lines = [
    ...said('Q1', 'A1', 'Q2', 'A2'),
    { role: 'user', content: 'Qlost', at: 5, failed: true } as const,
    ...said('Q3', 'A3', 'Q4', 'A4', 'Q5'),
  ];
  const words = (dialogue: Dialogue) => told(dialogue).map(([, content]) => content);
  const head = headOf;

  it('loses its older half and what failed, then half again and earlier conversations, at last all but the message', () => {
    const dialogue = spoken(lines, past);
    expect(head(dialogue)).toContain('Qbad');
    expect(become(dialogue, 'less')).toEqual([true]);
    expect(words(dialogue)).toEqual(['A3', 'Q4', 'A4', 'Q5']);
    expect([head(dialogue).includes('Qearlier'), head(dialogue).includes('Qbad')]).toEqual([true, false]);
    expect(become(dialogue, 'less')).toEqual([true]);
    expect([words(dialogue), head(dialogue).includes('Qearlier')]).toEqual([['A4', 'Q5'], false]);
    expect(become(dialogue, 'less')).toEqual([true]);
    expect([words(dialogue), head(dialogue).includes('Metadata')]).toEqual([['Q5'], false]);
    expect(head(dialogue)).toMatch(/^Be kind\./);
    expect(become(dialogue, 'less', 'least')).toEqual([false, false]);
  });

  it('can be told as its last message at once', () => {
    const dialogue = spoken(lines, past);
    expect(become(dialogue, 'least')).toEqual([true]);
    expect(words(dialogue)).toEqual(['Q5']);
  });

  it('is told as far as it fits where the bound is known', () => {
    const long = spoken(said(...Array.from({ length: 50 }, (_, n) => `Q${n} ${'x'.repeat(1_000)}`)), past);
    long.shortenTo(20_000);
    expect(long.length).toBeLessThanOrEqual(20_000);
    expect(long.length).toBeGreaterThan(18_000);
    expect([words(long).at(-1), head(long).includes('Qearlier')]).toEqual([expect.stringMatching(/^Q49/), false]);
    long.shortenTo(1_000);
    expect(words(long)).toHaveLength(1);
  });

  it('is told whole where it fits', () => {
    const dialogue = spoken(lines, past);
    dialogue.shortenTo(dialogue.length);
    expect([words(dialogue).length, head(dialogue).includes('Qbad')]).toEqual([10, true]);
  });
});
