import { DomainError } from '../kernel/domain-error.js';

export const EVENT_WINDOW_DAYS = 30;

const DAY_MS = 24 * 3_600_000;
export const EVENT_WINDOW_MS = EVENT_WINDOW_DAYS * DAY_MS;

/** An event's body and deliveries are removed a day after its window ends. */
export const RETIRE_AFTER_MS = EVENT_WINDOW_MS + DAY_MS;

/** Events from this instant or earlier are outside the window; epoch milliseconds. */
export function expiredUpTo(now: number): number {
  return now - EVENT_WINDOW_MS;
}

export function isExpired(emittedAt: number, now: number): boolean {
  return emittedAt <= expiredUpTo(now);
}

export function eventExpired(): DomainError {
  return new DomainError('event_expired', `The event is older than ${EVENT_WINDOW_DAYS} days.`, { param: 'id' });
}
