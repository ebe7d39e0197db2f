import { EVENT_WINDOW_DAYS } from '@domain/event/event-window';
import { DAY_MS } from '@ports/time-units';

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
