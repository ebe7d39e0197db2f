import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import { CURSOR_PATTERN } from '@application/paging/cursor';
import { itemIdPattern, type ItemId } from '@application/paging/item-id';
import { IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH } from '../pipeline/request-bounds.js';
import { RANGE_OPERATORS, type Filters } from '../paging/list-filters.js';
import { PAGE_LIMIT } from '../paging/read-page.js';
import { IF_MATCH_PATTERN } from '../pipeline/if-match.js';
import type { Answer } from '../routes/project-route.js';
import { withMeanings } from './with-meanings.js';

const INSTANT = { type: 'string', format: 'date-time' };

export const KEY_HEADER = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes retries safe: a key of your own, new for each intent, such as a UUID. The same key with the same body gets the first answer again for 24 hours; with another body it is refused.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH, pattern: IDEMPOTENCY_KEY_PATTERN },
});

export const VERSION_HEADER = ApiHeader({
  name: 'If-Match',
  required: false,
  description:
    'Lets the change happen only while the appointment is at this version, as its `ETag` says: `"v7"`; `*` for any. Else 412 `version_conflict`.',
  schema: { type: 'string', pattern: IF_MATCH_PATTERN },
});

export function listParameters(filters: Filters, kind: ItemId, first: Answer['first']): MethodDecorator[] {
  const place = { type: 'string', pattern: `${CURSOR_PATTERN}|${itemIdPattern(kind)}` };
  const after =
    "Where the page begins: after this place, which is a page's `next_cursor` or the id of its last item. Not together with `ending_before`.";
  const usual = first === 'oldest' ? 'asc' : 'desc';
  return [
    query(
      'limit',
      { type: 'integer', default: PAGE_LIMIT.usual },
      `How many items a page has at most, from 1 to ${PAGE_LIMIT.most}; a number beyond is taken for the nearest of these.`,
    ),
    query('starting_after', place, after),
    query(
      'ending_before',
      place,
      'Where the page ends: before this place, which is the id of the first item of a page, or a cursor. The order stays the same. Not together with `starting_after`.',
    ),
    query(
      'order',
      { type: 'string', enum: ['asc', 'desc'], default: usual },
      withMeanings(`By creation; \`${usual}\` when not given.`, { asc: 'oldest first.', desc: 'newest first.' }),
    ),
    ...filterParameters(filters),
  ];
}

export function filterParameters(filters: Filters): MethodDecorator[] {
  return Object.entries(filters).flatMap(([name, filter]) =>
    filter.kind === 'range'
      ? RANGE_OPERATORS.map((operator) => query(`${name}[${operator}]`, INSTANT, boundOf(filter.description, operator)))
      : [query(name, filter.schema, filter.description)],
  );
}

const BOUNDS: Readonly<Record<string, string>> = {
  gte: 'at this time or later',
  gt: 'later than this time',
  lte: 'at this time or earlier',
  lt: 'earlier than this time',
};

function boundOf(description: string, operator: string): string {
  return `${description} ${BOUNDS[operator] ?? ''}: ISO 8601 with an offset, such as 2026-03-01T09:00:00Z.`;
}

function query(name: string, schema: object, description: string): MethodDecorator {
  return ApiQuery({ name, required: false, schema, description } as never);
}
