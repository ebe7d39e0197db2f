import { DomainError } from '@domain/kernel/domain-error';
import type { FilterParameter, Query } from '../paging/list-filters.js';

const MAX_WAIT_SECONDS = 60;

/** Declares `wait` among the filters of a route. The description ends the sentence "How many seconds to wait for …". */
export function waitParameter(description: string): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'integer', default: 0 },
    description: `How many seconds to wait ${description}, from 0 to ${MAX_WAIT_SECONDS}; a number beyond is taken for the nearest of these.`,
    read: () => [[]],
  };
}

/** In milliseconds. What is out of range becomes the nearest limit. Throws `parameter_invalid` unless it is a whole number. */
export function readWait({ wait }: Query): number {
  if (wait === undefined) return 0;
  if (typeof wait !== 'string' || !/^-?\d{1,400}$/.test(wait)) {
    throw new DomainError('parameter_invalid', 'wait must be a whole number of seconds.', { param: 'wait' });
  }
  return Math.min(MAX_WAIT_SECONDS, Math.max(0, Number(wait))) * 1_000;
}
