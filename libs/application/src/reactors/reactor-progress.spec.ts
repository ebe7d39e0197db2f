import type { Position } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { ReactorCheckpoint } from './reactor-checkpoint.js';
import { ReactorProgress } from './reactor-progress.js';

const [start, early, late] = ['0', '1', '1025'] as unknown as readonly [Position, Position, Position];

describe('the progress of a reactor', () => {
  it('is noted though it was made while an earlier place was being noted, and nothing follows', async () => {
    const clock = new FakeClock();
    const noted: Position[] = [];
    let stored: () => void = () => undefined;
    const save = (position: Position) =>
      new Promise<void>((resolve) => {
        noted.push(position);
        stored = resolve;
      });
    const checkpoint = { position: start, isWorthSaving: () => true, save } as unknown as ReactorCheckpoint;
    const progress = new ReactorProgress(checkpoint, clock, new AbortController(), () => undefined);
    await progress.reached(early, 1);
    await clock.advance(1_000);
    const reached = progress.reached(late, 1_024);
    await settle();
    expect(noted).toEqual([early]);
    stored();
    await reached;
    await clock.advance(1_000);
    expect(noted).toEqual([early, late]);
  });
});
