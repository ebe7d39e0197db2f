import { MINUTE_MS } from '@ports/time-units';

/** How long after its start an appointment may still be booked for "now". */
const GRACE_MS = MINUTE_MS;

/** Refuses a tool call whose start has passed. Not an error of the API, because clients may use such times. */
export class StartsInPast extends Error {
  readonly code = 'starts_in_past';

  private constructor(startsAt: number, now: number) {
    const [start, present] = [startsAt, now].map((at) => new Date(at).toISOString());
    super(`starts_at ${start} has passed: it is ${present} now. Ask for a time to come.`);
    this.name = 'StartsInPast';
  }

  static refuse(startsAt: number, now: number): void {
    if (startsAt < now - GRACE_MS) throw new StartsInPast(startsAt, now);
  }
}
