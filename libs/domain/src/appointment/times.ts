import { DomainError } from '../kernel/domain-error.js';
import { isWritable } from '../kernel/instant.js';

/** The default duration of an appointment booked without an end (api-contract §17.15). */
export const USUAL_LENGTH_MS = 30 * 60_000;

/**
 * Refuses with `time_range_invalid` an end that is not after the start, and instants that cannot be written as a date-
 * time.
 */
export function refuseBadTimes({ startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number }): void {
  if (endsAt <= startsAt)
    throw new DomainError('time_range_invalid', 'An appointment ends after it starts.', { param: 'ends_at' });
  refuseUnwritable(startsAt, 'starts_at');
  refuseUnwritable(endsAt, 'ends_at');
}

function refuseUnwritable(at: number, param: string): void {
  if (!isWritable(at)) throw new DomainError('time_range_invalid', 'An appointment lies in the years 0000 to 9999.', { param });
}
