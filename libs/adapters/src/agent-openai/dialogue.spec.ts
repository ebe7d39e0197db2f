import { Dialogue, type Line } from './dialogue.js';

const said = (...lines: string[]): Line[] =>
  lines.map((line) => ({ role: line.startsWith('A') ? 'assistant' : 'user', content: line }));
const told = (dialogue: Dialogue) => dialogue.messages.slice(1).map(({ role, content }) => [role, content]);

describe('a dialogue', () => {
  it('is told as it was', () => {
    const dialogue = new Dialogue('Be kind.', said('A0', 'Q1', 'Q2', 'A2', 'Q3'));
    expect(dialogue.messages[0]).toEqual({ role: 'system', content: 'Be kind.' });
    expect(told(dialogue)).toEqual([
      ['assistant', 'A0'],
      ['user', 'Q1'],
      ['user', 'Q2'],
      ['assistant', 'A2'],
      ['user', 'Q3'],
    ]);
  });

  it('is told in turns, the customer first, to a server that is strict', () => {
    const dialogue = new Dialogue('Be kind.', said('A0', 'Q1', 'Q2', 'A1', 'A2', 'Q3'));
    expect(dialogue.becomeStricter()).toBe(true);
    expect(told(dialogue)).toEqual([
      ['user', 'Q1\n\nQ2'],
      ['assistant', 'A1\n\nA2'],
      ['user', 'Q3'],
    ]);
  });

  it('is told without messages of nothing but white space, to a server that is strict, but for the last', () => {
    const dialogue = new Dialogue('Be kind.', said(' ', 'A0', 'Q1', '\n', 'A1', ' '));
    expect(dialogue.becomeStricter()).toBe(true);
    expect(told(dialogue)).toEqual([
      ['user', 'Q1'],
      ['assistant', 'A1'],
      ['user', ' '],
    ]);
  });

  it('is told with the thoughts before each call, to a server that is strict', () => {
    const dialogue = new Dialogue('Be kind.', said('Q1'));
    dialogue.add({ role: 'assistant', content: null }, 'A haircut, then.');
    dialogue.add({ role: 'tool', tool_call_id: 'own', content: '{}' });
    expect(JSON.stringify(dialogue.messages)).not.toContain('haircut');
    expect(dialogue.becomeStricter()).toBe(true);
    expect(dialogue.messages.slice(2)).toEqual([
      { role: 'assistant', content: null, reasoning_content: 'A haircut, then.' },
      { role: 'tool', tool_call_id: 'own', content: '{}' },
    ]);
  });

  it('is told with thoughts beside every call, be they empty, to a server that refuses that too', () => {
    const dialogue = new Dialogue('Be kind.', said('Q1'));
    dialogue.add({ role: 'assistant', content: null }, 'A haircut, then.');
    dialogue.add({ role: 'tool', tool_call_id: 'own', content: '{}' });
    dialogue.add({ role: 'assistant', content: null });
    expect([dialogue.becomeStricter(), dialogue.becomeStricter(), dialogue.becomeStricter()]).toEqual([true, true, false]);
    expect(dialogue.messages.slice(2)).toEqual([
      { role: 'assistant', content: null, reasoning_content: 'A haircut, then.' },
      { role: 'tool', tool_call_id: 'own', content: '{}' },
      { role: 'assistant', content: null, reasoning_content: '' },
    ]);
  });

  it('cannot be told more strictly than in turns and without thoughts, nor twice', () => {
    expect(new Dialogue('Be kind.', said('Q1', 'A1', 'Q2')).becomeStricter()).toBe(false);
    const dialogue = new Dialogue('Be kind.', said('Q1', 'Q2'));
    expect([dialogue.becomeStricter(), dialogue.becomeStricter()]).toEqual([true, false]);
  });

  it('is told in turns before it is told with empty thoughts, which some servers refuse', () => {
    const dialogue = new Dialogue('Be kind.', said('Q1', 'Q2'));
    dialogue.add({ role: 'assistant', content: null });
    expect(dialogue.becomeStricter()).toBe(true);
    expect(dialogue.messages.slice(1)).toEqual([
      { role: 'user', content: 'Q1\n\nQ2' },
      { role: 'assistant', content: null },
    ]);
  });
});
