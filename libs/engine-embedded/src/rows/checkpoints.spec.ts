import { FakeClock } from '@testing/fake-clock';
import { Checkpoints } from './checkpoints.js';
import { positionOf } from '../events/position.js';

describe('who waits for a checkpoint', () => {
  it('leaves no timer behind, whether it comes, is late or everything ends', async () => {
    const clock = new FakeClock();
    const checkpoints = new Checkpoints(clock);
    const waiting = [1, 2, 3].map((number) => checkpoints.reached('notes', positionOf(number), number * 1_000));
    checkpoints.advance('notes', positionOf(1));
    await clock.advance(2_000);
    checkpoints.close();
    expect(await Promise.all(waiting)).toEqual([true, false, false]);
    expect(clock.pending).toBe(0);
  });
});
