import type { Position } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { ReactorCheckpoint } from './reactor-checkpoint.js';
import { ReactorProgress } from './reactor-progress.js';

const [start, early, late] = ['0', '1', '1025'] as unknown as readonly [Position, Position, Position];

let clock: FakeClock;
let noted: Position[];
let stored: () => void;
let progress: ReactorProgress;

beforeEach(() => {
  clock = new FakeClock();
  noted = [];
  const save = (position: Position) =>
    new Promise<void>((resolve) => {
      noted.push(position);
      stored = resolve;
    });
  const checkpoint = { position: start, isWorthSaving: () => true, save } as unknown as ReactorCheckpoint;
  progress = new ReactorProgress(checkpoint, clock, new AbortController(), () => undefined);
});

describe('the progress of a reactor', () => {
  it('is noted though it was made while an earlier place was being noted, and nothing follows', async () => {
    progress.reached(early, 1);
    await clock.advance(1_000);
    progress.reached(late, 1_024);
    await settle();
    expect(noted).toEqual([early]);
    stored();
    await clock.advance(1_000);
    expect(noted).toEqual([early, late]);
  });

  it('is not noted while it stays where it was', async () => {
    progress.reached(start, 1_024);
    await clock.advance(5_000);
    expect(noted).toEqual([]);
  });

  it('is noted at once after a thousand events', () => {
    progress.reached(early, 999);
    expect(noted).toEqual([]);
    progress.reached(late, 1);
    expect(noted).toEqual([late]);
  });

  it('is noted though noting an earlier place took longer than it waits', async () => {
    progress.reached(early, 1);
    await clock.advance(1_000);
    progress.reached(late, 1);
    await clock.advance(1_500);
    stored();
    await settle();
    await clock.advance(1_000);
    expect(noted).toEqual([early, late]);
  });
});
