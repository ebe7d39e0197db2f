import { DomainError } from '../kernel/domain-error.js';
import { isWritable } from '../kernel/instant.js';

export const USUAL_LENGTH_MS = 30 * 60_000;

/** Throws `time_range_invalid` if the end is not after the start, or an instant cannot be written as a date-time. */
export function refuseBadTimes({ startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number }): void {
  if (endsAt <= startsAt)
    throw new DomainError('time_range_invalid', 'An appointment ends after it starts.', { param: 'ends_at' });
  refuseUnwritable(startsAt, 'starts_at');
  refuseUnwritable(endsAt, 'ends_at');
}

function refuseUnwritable(at: number, param: string): void {
  if (!isWritable(at)) throw new DomainError('time_range_invalid', 'An appointment lies in the years 0000 to 9999.', { param });
}
