import { settle } from '@testing/fake-clock';
import { ReadingTurn } from './reading-turn.js';

describe('a turn of reading', () => {
  it('is over when so much was read, in however many parts, and the next begins anew', async () => {
    const turn = new ReadingTurn();
    turn.note(600_000);
    expect(turn.over).toBe(false);
    turn.note(400_000);
    expect(turn.over).toBe(true);
    await turn.next();
    expect(turn.over).toBe(false);
    turn.note(600_000);
    await settle();
    turn.note(600_000);
    expect(turn.over).toBe(false);
  });
});
