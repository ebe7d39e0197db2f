import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { CURSOR_PATTERN } from '@application/paging/cursor';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { idPattern } from '@domain/kernel/ids';
import { catalogueEntry } from '../errors/error-catalogue.js';
import { errorExample } from '../errors/error-example.js';
import { ErrorResource } from '../errors/error.resource.js';
import { claimOutcome } from '../idempotency/idempotency-record.js';
import { PAGE_LIMIT } from '../paging/read-page.js';
import type { Answer, ProjectRoute } from '../routes/project-route.js';
import { MAX_LINE_LENGTH, MAX_LINES } from '../warnings/request-warnings.js';
import { withMeanings } from './with-meanings.js';

/** As clients read a header that comes several times: joined by commas. */
const MAX_TEXT = (MAX_LINES + 1) * (MAX_LINE_LENGTH + ', '.length);

const whole = { type: 'integer', minimum: 0 };

/** The response headers of the API; the responses of the OpenAPI document refer to them by name. */
export const ANSWER_HEADERS = {
  'Request-Id': {
    required: true,
    description: 'Names this request: it stands in the log of the service, so quote it when asking for help.',
    schema: { type: 'string', pattern: idPattern('request') },
  },
  'Cache-Control': {
    required: true,
    description: 'Always `no-store`: answers are not to be cached.',
    schema: { type: 'string', enum: ['no-store'] },
  },
  'Service-Should-Retry': {
    required: true,
    description: withMeanings('Whether it is worth sending the same request again.', {
      true: 'it may succeed later; wait as long as `Retry-After` says, if it is there.',
      false:
        'it will fail again until something is changed; or, after a 5xx to a POST without an `Idempotency-Key`, it may have been carried out, and would be a second time.',
    }),
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'Always `Bearer`: the API key belongs into `Authorization: Bearer <key>`.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
  'Retry-After': { description: 'Seconds to wait before the request is sent again.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    required: true,
    description:
      'The appointment\'s version as `"v<version>"`. Sent as `If-Match`, it lets a change happen only while the appointment is still at it.',
    schema: { type: 'string', pattern: '^"v[0-9]+"$' },
  },
  RateLimit: {
    description:
      'The rate limit that counted this request: `"<class>";r=<requests left>;t=<seconds until all are there again>`, the class being `read`, `write`, `messages` or `registration`. Like the others of its name absent while the limit is off.',
    schema: { type: 'string', pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+$' },
  },
  'RateLimit-Policy': {
    description: 'How the limit is made: `"<class>";q=<requests at once>;w=<seconds in which as many come back>`.',
    schema: { type: 'string', pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+$' },
  },
  'RateLimit-Limit': { description: 'How many requests may be sent at once.', schema: whole },
  'RateLimit-Remaining': { description: 'How many more requests may be sent now.', schema: whole },
  'RateLimit-Reset': { description: 'Seconds until as many may be sent at once again as `RateLimit-Limit` says.', schema: whole },
  'Service-Warning': {
    description: `Tells of what was taken and will not do what it seems, such as an unknown member or parameter. One line of text for each, of at most ${MAX_LINE_LENGTH} characters; the header may come several times. After ${MAX_LINES} lines the last one is \`and <number> more\`.`,
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the stored answer to an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Original-Request': {
    description: 'The `Request-Id` of the request whose answer is repeated; else absent.',
    schema: { type: 'string', pattern: idPattern('request') },
  },
} as const;

type HeaderName = keyof typeof ANSWER_HEADERS;

const ALWAYS: readonly HeaderName[] = ['Request-Id', 'Cache-Control'];
const LIMITED: readonly HeaderName[] = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];
/** A request that is refused before its rate limit is checked is answered without these. */
const READ: readonly HeaderName[] = [...LIMITED, 'Service-Warning'];
const REPEATED: readonly HeaderName[] = ['Idempotent-Replayed', 'Original-Request'];
const RETRIED_LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Statuses that are answered before the rate limit is applied, and so without its headers. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 403, 413, 415]);

function headerReferences(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Documents a successful answer. */
export function documentAnswer({ status, description, resource, list, tagged }: Answer, takesKeys: boolean): MethodDecorator {
  const schema = { $ref: list ? pageOf(resource.name) : getSchemaPath(resource) };
  const headers = headerReferences([...ALWAYS, ...READ, ...(tagged ? ['ETag' as const] : []), ...(takesKeys ? REPEATED : [])]);
  return ApiResponse({ status, description, headers, schema } as never);
}

const pages = new Map<string, object>();

/** The schemas of the lists' pages, by their names, for the OpenAPI document. */
export const PAGES: ReadonlyMap<string, object> = pages;

/** Publishes the schema of a page of such items under a name of its own; returns the reference to it. */
function pageOf(item: string): string {
  const name = item.replace(/Resource$/, 'ListResource');
  pages.set(name, {
    type: 'object',
    description: 'A page of a list. `starting_after` with its `next_cursor` gets the next one.',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: { type: 'string', enum: ['list'], description: 'Always `list`: a page of a list.' },
      data: {
        type: 'array',
        maxItems: PAGE_LIMIT.most,
        items: { $ref: getSchemaPath(item) },
        description: 'The items of this page; empty where nothing matches.',
      },
      has_more: { type: 'boolean', description: 'Whether more pages exist past this one.' },
      next_cursor: {
        type: ['string', 'null'],
        pattern: CURSOR_PATTERN,
        description: 'What to pass as `starting_after` for the next page; null on the last.',
      },
    },
  });
  return getSchemaPath(name);
}

/** Documents the errors of a route: one response for each status, naming its codes. */
export function documentErrors(codes: readonly ErrorCode[], route: ProjectRoute): MethodDecorator[] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = catalogueEntry(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([status, alike]) => documentError(status, alike, route));
}

function documentError(status: number, codes: readonly ErrorCode[], route: ProjectRoute): MethodDecorator {
  const takesKeys = route.body !== undefined;
  const names: readonly HeaderName[] = [
    ...ALWAYS,
    'Service-Should-Retry' as const,
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(RETRIED_LATER.has(status) || codes.includes('idempotency_key_in_use') ? ['Retry-After' as const] : []),
    ...(UNCOUNTED.has(status) ? [] : READ),
    ...(takesKeys && claimOutcome(status) === 'keep' ? REPEATED : []),
  ];
  const description = codes.map((code) => `- \`${code}\`: ${catalogueEntry(code).cause}`).join('\n');
  const schema = { $ref: getSchemaPath(ErrorResource) };
  const example = errorExample(codes.at(-1) ?? 'internal_error', route);
  const content = { 'application/json': { schema, example } };
  return ApiResponse({ status, description, headers: headerReferences(names), content } as never);
}
