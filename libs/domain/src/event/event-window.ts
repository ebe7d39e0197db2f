import { DomainError } from '../kernel/domain-error.js';

/** For how many days an event can be looked up (specification, Limits). */
export const EVENT_WINDOW_DAYS = 30;

const DAY_MS = 24 * 3_600_000;
const EVENT_WINDOW_MS = EVENT_WINDOW_DAYS * DAY_MS;

/** When the bytes of an event and the record of its deliveries go: a day after nobody can ask for them. */
export const RETIRE_AFTER_MS = EVENT_WINDOW_MS + DAY_MS;

/** Events of this instant and from before can no longer be looked up; both in epoch milliseconds. */
export function expiredUpTo(now: number): number {
  return now - EVENT_WINDOW_MS;
}

/** Whether an event can no longer be looked up; both times in epoch milliseconds. */
export function isExpired(emittedAt: number, now: number): boolean {
  return emittedAt <= expiredUpTo(now);
}

/** The answer to an event that cannot be looked up any more (specification, Limits). */
export function eventExpired(): DomainError {
  return new DomainError('event_expired', `The event is older than ${EVENT_WINDOW_DAYS} days.`, { param: 'id' });
}
