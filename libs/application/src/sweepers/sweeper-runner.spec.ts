import { Logger } from '@nestjs/common';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import type { Sweeper } from '../runtime/sweeper.js';
import { SweeperRunner } from './sweeper-runner.js';

Logger.overrideLogger(false);

class Broom implements Sweeper {
  readonly name = 'broom';
  readonly everyMs = 1_000;
  readonly swept: number[] = [];
  readonly ends: (() => void)[] = [];
  outcome: 'done' | 'failed' | 'open' = 'done';

  sweep(now: number): Promise<void> {
    this.swept.push(now);
    if (this.outcome === 'failed') return Promise.reject(new Error('no floor'));
    if (this.outcome === 'done') return Promise.resolve();
    return new Promise((resolve) => this.ends.push(resolve));
  }
}

let clock: FakeClock;
let broom: Broom;
let runner: SweeperRunner;
let end: AbortController;
let running: Promise<void>;
let start: number;
beforeEach(() => {
  clock = new FakeClock();
  broom = new Broom();
  runner = new SweeperRunner(broom, clock, new FakeIds(clock));
  end = new AbortController();
  start = clock.now();
});
afterEach(async () => {
  end.abort();
  broom.ends.forEach((finish) => finish());
  await running;
});

describe('a sweeper', () => {
  it('sweeps at once and then in its rhythm', async () => {
    running = runner.run(end.signal);
    await clock.advance(2_500);
    expect(broom.swept).toEqual([start, start + 1_000, start + 2_000]);
  });

  it('never sweeps twice at a time', async () => {
    broom.outcome = 'open';
    running = runner.run(end.signal);
    await clock.advance(10_000);
    expect(broom.swept).toHaveLength(1);
    broom.ends[0]!();
    await clock.advance(1_000);
    expect(broom.swept).toEqual([start, start + 11_000]);
  });

  it('tries again after a failure, and counts it', async () => {
    broom.outcome = 'failed';
    running = runner.run(end.signal);
    await settle();
    broom.outcome = 'done';
    await clock.advance(1_000);
    expect(broom.swept).toHaveLength(2);
    expect(runner.failures).toBe(1);
  });

  it('tells the log of a failure that repeats at first and once a minute, and of its end', async () => {
    const told: unknown[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(line));
    broom.outcome = 'failed';
    running = runner.run(end.signal);
    for (let second = 0; second < 65; second++) await clock.advance(1_000);
    broom.outcome = 'done';
    await clock.advance(2_000);
    warn.mockRestore();
    expect(told).toEqual(['sweep failed: Error: no floor', 'sweep failed: Error: no floor', 'sweeps again']);
    expect(runner.failures).toBeGreaterThan(60);
  });

  it('ends with the process', async () => {
    running = runner.run(end.signal);
    await settle();
    end.abort();
    await running;
    expect(clock.pending).toBe(0);
  });
});
