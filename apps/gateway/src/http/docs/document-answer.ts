import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { CURSOR_PATTERN } from '@application/paging/cursor';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { catalogueEntry } from '../errors/error-catalogue.js';
import { errorExample } from '../errors/error-example.js';
import { ErrorResource } from '../errors/error.resource.js';
import { claimOutcome } from '../idempotency/idempotency-record.js';
import { PAGE_LIMIT } from '../paging/read-page.js';
import type { Answer, DocumentedRoute } from '../routes/project-route.js';
import { ANSWER_HEADERS, type HeaderName } from './answer-headers.js';
import type { Audience } from './audience.js';

const ALWAYS: readonly HeaderName[] = ['Request-Id', 'Cache-Control'];
/** A stream of events is not to be changed on its way either. */
const STREAMED = {
  ...ANSWER_HEADERS['Cache-Control'],
  description: 'Always `no-store, no-transform`: a stream is neither cached nor changed.',
  schema: { type: 'string', enum: ['no-store, no-transform'] },
};
const REPEATED: readonly HeaderName[] = ['Idempotent-Replayed', 'Original-Request'];
const RETRIED_LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Statuses answered before the rate limit is checked, so without its headers. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 403, 413, 415]);

function headerReferences(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function documentAnswer(
  { status, description, resource, list, tagged, stream }: Answer,
  audience: Audience,
  takesKeys: boolean,
): MethodDecorator {
  const schema = { $ref: list !== undefined ? pageOf(resource.name) : getSchemaPath(resource) };
  const names: readonly HeaderName[] = [...ALWAYS, ...audience.headers, ...(takesKeys ? REPEATED : [])];
  const headers = {
    ...headerReferences(names),
    ...(tagged && { ETag: entityTagHeader(tagged) }),
    ...(stream === 'text/event-stream' && { 'Cache-Control': STREAMED }),
  };
  if (stream) return ApiResponse({ status, description, headers, content: { [stream]: { schema } } } as never);
  return ApiResponse({ status, description, headers, schema } as never);
}

function entityTagHeader(tagged: NonNullable<Answer['tagged']>): object {
  const { ETag } = ANSWER_HEADERS;
  if (tagged === true) return { $ref: '#/components/headers/ETag' };
  return { ...ETag, required: false, description: `${ETag.description} Absent where an earlier state is asked for.` };
}

const pages = new Map<string, object>();

export const PAGES: ReadonlyMap<string, object> = pages;

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

export function documentErrors(
  codes: readonly ErrorCode[],
  route: DocumentedRoute,
  audience: Audience,
  takesKeys: boolean,
): MethodDecorator[] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = catalogueEntry(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups]
    .sort(([one], [other]) => one - other)
    .map(([status, alike]) => {
      const headers = headersOfError(status, alike, audience, takesKeys);
      return documentError(status, alike, route, headers);
    });
}

function headersOfError(status: number, codes: readonly ErrorCode[], audience: Audience, takesKeys: boolean) {
  const names: readonly HeaderName[] = [
    ...ALWAYS,
    'Service-Should-Retry' as const,
    ...(codes.some((code) => code.startsWith('api_key')) ? ['WWW-Authenticate' as const] : []),
    ...(RETRIED_LATER.has(status) || codes.includes('idempotency_key_in_use') ? ['Retry-After' as const] : []),
    ...(UNCOUNTED.has(status) ? [] : audience.headers),
    ...(takesKeys && claimOutcome(status) === 'keep' ? REPEATED : []),
  ];
  return headerReferences(names);
}

function documentError(status: number, codes: readonly ErrorCode[], route: DocumentedRoute, headers: object): MethodDecorator {
  const description = codes.map((code) => `- \`${code}\`: ${catalogueEntry(code).cause}`).join('\n');
  const schema = { $ref: getSchemaPath(ErrorResource) };
  const example = errorExample(codes.at(-1) ?? 'internal_error', route);
  const content = { 'application/json': { schema, example } };
  return ApiResponse({ status, description, headers, content } as never);
}
