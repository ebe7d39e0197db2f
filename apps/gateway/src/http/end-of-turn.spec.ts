import { setImmediate } from 'node:timers/promises';
import { EndOfTurn } from './end-of-turn.js';

describe('work put off to the end of the turn', () => {
  it('is done together, in its order', async () => {
    const done: string[] = [];
    const endOfTurn = new EndOfTurn();
    for (const piece of ['one', 'two', 'three']) endOfTurn.do(() => done.push(piece));
    await Promise.resolve();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('that it sets off itself is done at the end of the next', async () => {
    const done: string[] = [];
    const endOfTurn = new EndOfTurn();
    endOfTurn.do(() => endOfTurn.do(() => done.push('later')));
    await setImmediate();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['later']);
  });
});
