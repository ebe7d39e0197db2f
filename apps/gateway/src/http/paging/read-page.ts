import { DomainError } from '@domain/kernel/domain-error';
import type { Condition } from '@ports/read-models.port';
import type { PageRequest, Span } from '@application/paging/page';
import { readRange, type Query } from './list-filters.js';

export const PAGE_PARAMETERS = ['limit', 'starting_after', 'ending_before', 'order'] as const;

export const PAGE_LIMIT = { usual: 20, most: 100 };

/** Throws `parameter_conflict` when the query has both cursors. */
export function readPage(query: Query, order: PageRequest['order'] = 'desc'): PageRequest {
  const startingAfter = readCursor(query, 'starting_after');
  const endingBefore = readCursor(query, 'ending_before');
  if (startingAfter !== null && endingBefore !== null) {
    const message = 'starting_after and ending_before exclude each other.';
    throw new DomainError('parameter_conflict', message, { param: 'ending_before' });
  }
  return { limit: readLimit(query, PAGE_LIMIT), order: readOrder(query['order'], order), startingAfter, endingBefore };
}

/** For a list read from a stream: `created_at` limits the range of the stream instead of filtering rows. */
export function readTimedPage(query: Query, order: PageRequest['order'] = 'desc'): PageRequest {
  const page = readPage(query, order);
  const created = query['created_at'];
  return created === undefined ? page : { ...page, created: spanOf(readRange('created_at', created, 'createdAt')) };
}

function spanOf(bounds: readonly Condition[]): Span {
  const all = { from: 0, before: Number.MAX_SAFE_INTEGER };
  return bounds.reduce<Span>(({ from, before }, { op, value }) => {
    const at = Number(value) + Number(op === 'gt' || op === 'lte');
    return op === 'gt' || op === 'gte' ? { from: Math.max(from, at), before } : { from, before: Math.min(before, at) };
  }, all);
}

/** What is out of range becomes the nearest limit. Throws `parameter_invalid` unless it is a whole number. */
export function readLimit<Usual>(
  { limit }: Query,
  { usual, most }: { readonly usual: Usual; readonly most: number },
): Usual | number {
  if (limit === undefined) return usual;
  if (typeof limit !== 'string' || !/^-?\d{1,400}$/.test(limit)) {
    throw new DomainError('parameter_invalid', 'limit must be a whole number.', { param: 'limit' });
  }
  return Math.min(most, Math.max(1, Number(limit)));
}

function readOrder(value: unknown, otherwise: PageRequest['order']): PageRequest['order'] {
  if (value === undefined) return otherwise;
  if (value === 'asc' || value === 'desc') return value;
  throw new DomainError('parameter_invalid', 'order must be asc or desc.', { param: 'order' });
}

function readCursor(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw new DomainError('cursor_invalid', `${name} is no cursor.`, { param: name });
}
