import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import { CURSOR_PATTERN } from '@application/paging/cursor';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { IDEMPOTENCY_KEY_PATTERN, LONGEST_IDEMPOTENCY_KEY } from '../pipeline/request-bounds.js';
import { RANGE_OPERATORS, type Filters } from '../paging/list-filters.js';
import { PAGE_LIMIT } from '../paging/read-page.js';
import { IF_MATCH_PATTERN } from '../pipeline/if-match.js';
import type { Answer } from '../routes/project-route.js';

const INSTANT = { type: 'string', format: 'date-time' };

export const KEY_HEADER = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'Makes retries safe: the same key with the same body within 24 hours gets the original response.',
  schema: { type: 'string', minLength: 1, maxLength: LONGEST_IDEMPOTENCY_KEY, pattern: IDEMPOTENCY_KEY_PATTERN },
});

export const VERSION_HEADER = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'The version that is expected, as its `ETag` says; `*` for any.',
  schema: { type: 'string', pattern: IF_MATCH_PATTERN },
});

/** Documents the query parameters of a list whose items have ids of this kind. */
export function listParameters(filters: Filters, kind: IdKind, first: Answer['first']): MethodDecorator[] {
  const place = { type: 'string', pattern: `${CURSOR_PATTERN}|${idPattern(kind)}` };
  const after = "The page after this: a page's `next_cursor`, or the id of its last item. Not together with `ending_before`.";
  const usual = first === 'oldest' ? 'asc' : 'desc';
  return [
    query(
      'limit',
      { type: 'integer', default: PAGE_LIMIT.usual },
      `How many items a page has; clamped to 1 to ${PAGE_LIMIT.most}.`,
    ),
    query('starting_after', place, after),
    query('ending_before', place, 'The page before this, in the same order.'),
    query('order', { type: 'string', enum: ['asc', 'desc'], default: usual }, 'By creation, oldest or newest first.'),
    ...Object.entries(filters).flatMap(([name, filter]) =>
      filter.kind === 'range'
        ? RANGE_OPERATORS.map((operator) => query(`${name}[${operator}]`, INSTANT, filter.description))
        : [query(name, filter.schema, filter.description)],
    ),
  ];
}

function query(name: string, schema: object, description: string): MethodDecorator {
  return ApiQuery({ name, required: false, schema, description } as never);
}
