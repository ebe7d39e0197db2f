import { Clock } from '@ports/clock.port';

interface Alarm {
  readonly time: number;
  readonly ring: () => void;
}

/** A clock that only moves when a test moves it. */
export class FakeClock extends Clock {
  private readonly alarms = new Set<Alarm>();

  constructor(private time = Date.UTC(2026, 2, 1, 9)) {
    super();
  }

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    return this.at(this.time + ms, callback);
  }

  at(time: number, callback: () => void): () => void {
    const alarm = { time, ring: callback };
    this.alarms.add(alarm);
    return () => void this.alarms.delete(alarm);
  }

  /** The number of scheduled callbacks. */
  get pending(): number {
    return this.alarms.size;
  }

  /** Sets the time, forwards or backwards, without running callbacks; the next `advance` runs those that became due. */
  set(time: number): void {
    this.time = time;
  }

  /** Moves the time forward and runs due callbacks in order of time, letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (let due = this.firstUntil(end); due; due = this.firstUntil(end)) {
      this.alarms.delete(due);
      this.time = Math.max(this.time, due.time);
      due.ring();
      await settle();
    }
    this.time = Math.max(this.time, end);
  }

  private firstUntil(end: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.alarms) {
      if (alarm.time <= end && (!first || alarm.time < first.time)) first = alarm;
    }
    return first;
  }
}

/** Resolves once every promise that can settle without time passing has settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve));
}

const realImmediate = setImmediate;
