import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ErrorResource } from '../errors/error.resource.js';
import type { ProjectRoute } from '../routes/project-route.js';
import { documentAnswer, documentErrors } from './document-answer.js';
import { KEY_HEADER, listParameters, VERSION_HEADER } from './list-parameters.js';

/** Codes of every route. `request_too_large` is one of them because path and headers are bounded too. */
const EVERYWHERE: readonly ErrorCode[] = [
  'request_too_large',
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];
/** The body of every write is read, even where the route takes none. */
const OF_WRITES: readonly ErrorCode[] = ['json_invalid', 'content_type_unsupported'];
const OF_POSTS: readonly ErrorCode[] = [
  'parameter_invalid',
  'idempotency_key_invalid',
  'idempotency_key_in_use',
  'idempotency_key_reused',
];

const pending: (() => void)[] = [];

/** Documents a route. The decorators are applied by `applyRouteDocs`, so that a start does not spend time on them. */
export function documentRoute(route: ProjectRoute): MethodDecorator {
  return (target, property, descriptor) => {
    const name = route.name ?? String(property) + nounOf(target.constructor.name, route);
    pending.push(() => applyDecorators(...partsOf(route, name))(target, property, descriptor as PropertyDescriptor));
  };
}

/** The controller's noun: plural for a list, else singular. */
function nounOf(controller: string, { answers: [{ list }] }: ProjectRoute): string {
  return controller.replace(list ? /Controller$/ : /sController$/, '');
}

/** Applies the decorators of all documented routes; must be called before the document is made. */
export function applyRouteDocs(): void {
  for (const apply of pending.splice(0)) apply();
}

function partsOf(route: ProjectRoute, operationId: string): MethodDecorator[] {
  const { about, answers, body, example, filters, scope, summary, rate } = route;
  const [{ list, first }] = answers;
  const takesKeys = body !== undefined;
  const errors = [...EVERYWHERE, ...(rate === 'read' ? [] : OF_WRITES), ...(takesKeys ? OF_POSTS : []), ...(route.errors ?? [])];
  return [
    ApiOperation({
      summary,
      description: [about, `Needs an API key with the scope \`${scope}\`.`].filter(Boolean).join('\n\n'),
      operationId,
    }),
    ApiBearerAuth('api_key'),
    ApiExtraModels(ErrorResource, ...answers.map(({ resource }) => resource)),
    ...answers.map((answer) => documentAnswer(answer, takesKeys)),
    ...documentErrors(errors, route),
    ...(body ? [ApiBody({ type: body, required: true, ...(example ? { examples: { usual: { value: example } } } : {}) })] : []),
    ...(list ? listParameters(filters ?? {}, list, first) : []),
    ...(takesKeys ? [KEY_HEADER] : []),
    ...(route.versioned ? [VERSION_HEADER] : []),
  ];
}
