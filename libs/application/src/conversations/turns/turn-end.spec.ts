import { TurnEnd } from './turn-end.js';

describe('the end of a turn', () => {
  it('is told to who asked before it', () => {
    const turn = new TurnEnd(new AbortController().signal);
    const { signal } = turn;
    expect(signal.aborted).toBe(false);
    turn.end();
    expect(signal.aborted).toBe(true);
  });

  it('is told to who asks behind it', () => {
    const turn = new TurnEnd(new AbortController().signal);
    turn.end();
    expect(turn.signal.aborted).toBe(true);
  });

  it('comes when the turn is given up, for who asked before or asks now', () => {
    const givingUp = new AbortController();
    const asked = new TurnEnd(givingUp.signal);
    const { signal } = asked;
    givingUp.abort();
    expect([signal.aborted, new TurnEnd(givingUp.signal).signal.aborted]).toEqual([true, true]);
  });
});
