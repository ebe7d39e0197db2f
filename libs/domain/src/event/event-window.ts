import { DomainError } from '../kernel/domain-error.js';

/** For how many days an event can be looked up (specification, Limits). */
export const EVENT_WINDOW_DAYS = 30;

/** The answer to an event that cannot be looked up any more (specification, Limits). */
export function eventExpired(): DomainError {
  return new DomainError('event_expired', `The event is older than ${EVENT_WINDOW_DAYS} days.`, { param: 'id' });
}
