import { DomainError } from '../kernel/domain-error.js';

/** For how many days an event can be looked up (specification, Limits). */
export const EVENT_WINDOW_DAYS = 30;

const DAY_MS = 24 * 3_600_000;
const EVENT_WINDOW_MS = EVENT_WINDOW_DAYS * DAY_MS;

/** When an event's body and its deliveries are removed: a day after the event can last be looked up. */
export const RETIRE_AFTER_MS = EVENT_WINDOW_MS + DAY_MS;

/** Events from this instant or earlier can no longer be looked up; both in epoch milliseconds. */
export function expiredUpTo(now: number): number {
  return now - EVENT_WINDOW_MS;
}

/** Whether an event can no longer be looked up; both times in epoch milliseconds. */
export function isExpired(emittedAt: number, now: number): boolean {
  return emittedAt <= expiredUpTo(now);
}

/** The error for an event that can no longer be looked up (specification, Limits). */
export function eventExpired(): DomainError {
  return new DomainError('event_expired', `The event is older than ${EVENT_WINDOW_DAYS} days.`, { param: 'id' });
}
