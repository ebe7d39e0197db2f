import { setImmediate } from 'node:timers/promises';
import { EndOfTick } from './end-of-tick.js';

describe('work put off to the end of the turn', () => {
  it('is done together, in its order', async () => {
    const done: string[] = [];
    const endOfTick = new EndOfTick();
    for (const piece of ['one', 'two', 'three']) endOfTick.do(() => done.push(piece));
    await Promise.resolve();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('that it sets off itself is done at the end of the next', async () => {
    const done: string[] = [];
    const endOfTick = new EndOfTick();
    endOfTick.do(() => endOfTick.do(() => done.push('later')));
    await setImmediate();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['later']);
  });
});
