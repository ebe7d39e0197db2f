import { Clock } from '@ports/clock.port';

interface Alarm {
  readonly time: number;
  readonly ring: () => void;
}

/** A clock that stands still until a test moves it. */
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

  /** How many callbacks are still to come. */
  get pending(): number {
    return this.alarms.size;
  }

  /** Jumps, forwards or backwards, without calling anybody. The next `advance` calls whoever became due. */
  set(time: number): void {
    this.time = time;
  }

  /** Lets time pass: calls back whoever becomes due, in order of time, and lets promises settle in between. */
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
