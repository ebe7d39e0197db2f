import { Clock } from '@ports/clock.port';

interface Alarm {
  /** How long it is until the callback is due; not positive once it is. */
  readonly left: () => number;
  readonly ring: () => void;
}

/** A clock that only moves when a test moves it. */
export class FakeClock extends Clock {
  private readonly alarms = new Set<Alarm>();
  private passed = 0;

  constructor(private time = Date.UTC(2026, 2, 1, 9)) {
    super();
  }

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.passed;
  }

  after(ms: number, callback: () => void): () => void {
    const end = this.passed + ms;
    return this.schedule({ left: () => end - this.passed, ring: callback });
  }

  at(time: number, callback: () => void): () => void {
    return this.schedule({ left: () => time - this.time, ring: callback });
  }

  /** The number of scheduled callbacks. */
  get pending(): number {
    return this.alarms.size;
  }

  /**
   * Sets the time, forwards or backwards, as one sets a machine's clock: nothing elapses. Runs no callbacks; the next `advance`
   * runs those that became due.
   */
  set(time: number): void {
    this.time = time;
  }

  /** Lets time elapse, without running callbacks either. */
  elapse(ms: number): void {
    this.time += ms;
    this.passed += ms;
  }

  /** Lets time elapse and runs due callbacks in order of time, letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.passed + ms;
    await settle();
    for (let due = this.firstWithin(end - this.passed); due; due = this.firstWithin(end - this.passed)) {
      this.alarms.delete(due);
      this.elapse(Math.max(0, due.left()));
      due.ring();
      await settle();
    }
    this.elapse(Math.max(0, end - this.passed));
  }

  private schedule(alarm: Alarm): () => void {
    this.alarms.add(alarm);
    return () => void this.alarms.delete(alarm);
  }

  private firstWithin(ms: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.alarms) {
      if (alarm.left() <= ms && (!first || alarm.left() < first.left())) first = alarm;
    }
    return first;
  }
}

/** Resolves once every promise that can settle without time passing has settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve));
}

const realImmediate = setImmediate;
