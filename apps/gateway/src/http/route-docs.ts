import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { catalogued } from './error-catalogue.js';
import { ErrorResource } from './error.resource.js';
import { RANGE_OPERATORS, type Filters } from './list-query.js';
import type { Answer, ProjectRoute } from './project-route.js';

const EVERYWHERE: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];
const OF_POSTS: readonly ErrorCode[] = [
  'json_invalid',
  'parameter_invalid',
  'idempotency_key_invalid',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'request_too_large',
  'content_type_unsupported',
];

const text = (description: string) => ({ description, schema: { type: 'string' } });
const ALWAYS = { 'Request-Id': text('Names this request; quote it when asking for help.') };
const LIMITED = {
  RateLimit: text('`"<class>";r=<left>;t=<seconds until it is full again>`; absent while the limit is off.'),
  'RateLimit-Policy': text('`"<class>";q=<burst>;w=<seconds>`.'),
};
const REPEATED = {
  'Idempotent-Replayed': text('`true` on the repetition of an answer.'),
  'Original-Request': text('The request whose answer is repeated.'),
};
const REFUSED = { ...ALWAYS, 'Service-Should-Retry': text('`true` if the same request may succeed later, else `false`.') };
const LATER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } };
const RETRIED_LATER: ReadonlySet<number> = new Set([409, 429, 503, 504]);

const undescribed: (() => void)[] = [];

/** What the OpenAPI document says of a route, once `describeRoutes` was called: a start needs none of it. */
export function documented(route: ProjectRoute): MethodDecorator {
  return (target, property, descriptor) => {
    const name = String(property) + target.constructor.name.replace('Controller', '');
    undescribed.push(() => applyDecorators(...partsOf(route, name))(target, property, descriptor as PropertyDescriptor));
  };
}

/** To be called before the document is made. */
export function describeRoutes(): void {
  for (const describe of undescribed.splice(0)) describe();
}

function partsOf(route: ProjectRoute, operationId: string): MethodDecorator[] {
  const { answers, body, filters, scope, summary } = route;
  const takesKeys = body !== undefined || route.rate === 'messages';
  const errors = [...EVERYWHERE, ...(takesKeys ? OF_POSTS : []), ...(route.errors ?? [])];
  return [
    ApiOperation({ summary, description: `Scope: \`${scope}\`.`, operationId }),
    ApiBearerAuth('api_key'),
    ApiExtraModels(ErrorResource, ...answers.map(({ resource }) => resource)),
    ...answers.map((answer) => answered(answer, takesKeys)),
    ...byStatus(errors).map(refused),
    ...(body ? [ApiBody({ type: body, required: true })] : []),
    ...(filters ? listed(filters) : []),
    ...(takesKeys ? [KEY_HEADER] : []),
    ...(route.versioned ? [VERSION_HEADER] : []),
  ];
}

const INSTANT = { type: 'string', format: 'date-time' };

const KEY_HEADER = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'Makes retries safe: the same key with the same body within 24 hours gets the original response.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
});

const VERSION_HEADER = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'The version that is expected, as its `ETag` says.',
  schema: { type: 'string', pattern: '^"v[0-9]{1,15}"$' },
});

function answered({ status, description, resource, list }: Answer, takesKeys: boolean): MethodDecorator {
  const one = { $ref: getSchemaPath(resource) };
  const headers = { ...ALWAYS, ...LIMITED, ...(takesKeys ? REPEATED : {}) };
  return ApiResponse({ status, description, headers, schema: list ? pageOf(one) : one } as never);
}

function pageOf(item: object) {
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: { type: 'string', enum: ['list'] },
      data: { type: 'array', maxItems: 100, items: item },
      has_more: { type: 'boolean', description: 'Whether more pages exist past this one.' },
      next_cursor: { type: ['string', 'null'], description: 'What to pass as `starting_after` for the next page.' },
    },
  };
}

function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = catalogued(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([one], [other]) => one - other);
}

function refused([status, codes]: [number, ErrorCode[]]): MethodDecorator {
  const description = codes.map((code) => `\`${code}\``).join(', ');
  const headers = { ...REFUSED, ...(RETRIED_LATER.has(status) ? LATER : {}), ...(status === 429 ? LIMITED : {}) };
  return ApiResponse({ status, description, headers, schema: { $ref: getSchemaPath(ErrorResource) } } as never);
}

function listed(filters: Filters): MethodDecorator[] {
  return [
    query('limit', { type: 'integer', default: 20 }, 'How many items a page has; clamped to 1 to 100.'),
    query(
      'starting_after',
      { type: 'string', minLength: 1 },
      "The page after this: a page's `next_cursor`, or the id of its last item.",
    ),
    query('ending_before', { type: 'string', minLength: 1 }, 'The page before this, in the same order.'),
    query('order', { type: 'string', enum: ['asc', 'desc'] }, 'By creation, oldest or newest first.'),
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
