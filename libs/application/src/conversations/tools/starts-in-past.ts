import { MINUTE_MS } from '@ports/time-units';

/** So long after it began an appointment may still be booked for "now". */
const GRACE_MS = MINUTE_MS;

/** The refusal of a tool call whose start has passed (api-contract §17.25). Clients may use such times, so it is no error of the API. */
export class StartsInPast extends Error {
  readonly code = 'starts_in_past';

  private constructor(startsAt: number, now: number) {
    const [start, present] = [startsAt, now].map((at) => new Date(at).toISOString());
    super(`starts_at ${start} has passed: it is ${present} now. Ask for a time to come.`);
    this.name = 'StartsInPast';
  }

  /** Throws where the start lies more than a minute before this time. */
  static refuse(startsAt: number, now: number): void {
    if (startsAt < now - GRACE_MS) throw new StartsInPast(startsAt, now);
  }
}
