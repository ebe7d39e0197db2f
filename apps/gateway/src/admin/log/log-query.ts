import { DomainError } from '@domain/kernel/domain-error';
import { isPosition, START, type Position, type Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { anyOf, exactly, readFilter, readFlag, type Filters, type Query } from '../../http/paging/list-filters.js';
import { readLimit } from '../../http/paging/read-page.js';

const LIMIT = { usual: Infinity, most: 10_000 };

export const LOG_FILTERS: Filters = {
  after: exactly('The `position` to go on after; without it the log is read from its beginning.', 'position'),
  limit: exactly(`How many events at most, 1 to ${LIMIT.most}; without it all.`, 'limit'),
  follow: exactly('`true` goes on with new events.', 'follow'),
  category: anyOf('Only events of streams of this category', 'category'),
  stream: anyOf('Only events of this stream', 'stream'),
  type: anyOf('Only events of this type', 'type'),
};

/** Which events of the log a reader wants. */
export interface LogQuery {
  readonly after: Position;
  readonly limit: number;
  readonly follow: boolean;
  /** Null for all. */
  readonly categories: readonly string[] | null;
  wants(record: Recorded): boolean;
}

/** Throws `parameter_invalid`. */
export function readLogQuery(query: Query): LogQuery {
  readFilter(query, LOG_FILTERS);
  const [categories, streams, types] = [namesIn(query, 'category'), namesIn(query, 'stream'), namesIn(query, 'type')];
  return {
    after: readPosition(query['after']),
    limit: readLimit(query, LIMIT),
    follow: readFlag(query, 'follow'),
    categories: categories ?? streams?.map(streamCategory) ?? null,
    wants: ({ stream, event }) =>
      (categories?.includes(streamCategory(stream)) ?? true) &&
      (streams?.includes(stream) ?? true) &&
      (types?.includes(event.type) ?? true),
  };
}

function namesIn(query: Query, name: string): readonly string[] | null {
  const names = query[name];
  return typeof names === 'string' ? names.split(',') : null;
}

function readPosition(value: unknown): Position {
  if (value === undefined) return START;
  if (typeof value === 'string' && isPosition(value)) return value;
  throw noPosition();
}

export function noPosition(): DomainError {
  return new DomainError('parameter_invalid', 'after is no position in this log.', { param: 'after' });
}
