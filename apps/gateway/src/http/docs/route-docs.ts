import { applyDecorators, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ApiBody, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ErrorResource } from '../errors/error.resource.js';
import type { DocumentedRoute } from '../routes/project-route.js';
import type { Audience, DocumentName } from './audience.js';
import { documentAnswer, documentErrors } from './document-answer.js';
import { filterParameters, KEY_HEADER, listParameters, VERSION_HEADER } from './list-parameters.js';

/** The body of every write is parsed, even where the route takes none. */
const OF_WRITES: readonly ErrorCode[] = ['json_invalid', 'content_type_unsupported'];
const OF_BODIES: readonly ErrorCode[] = ['parameter_invalid'];
const OF_KEYS: readonly ErrorCode[] = ['idempotency_key_invalid', 'idempotency_key_in_use', 'idempotency_key_reused'];

interface Documented extends DocumentedRoute {
  readonly neverRepeated?: true;
}

const pending: Readonly<Record<DocumentName, (() => void)[]>> = { client: [], admin: [] };

/**
 * The decorators are applied later, by `applyRouteDocs`, so that they do not slow down a start.
 * @param controller the name that the operation id is made of, unless it is the class's
 */
export function documentRoute(route: Documented, audience: Audience, controller?: string): MethodDecorator {
  return (target, property, descriptor) => {
    const name = route.name ?? String(property) + nounOf(controller ?? target.constructor.name, route);
    const apply = () => {
      const method = Reflect.getMetadata(METHOD_METADATA, descriptor.value as object) as RequestMethod;
      applyDecorators(...partsOf(route, audience, name, method))(target, property, descriptor as PropertyDescriptor);
    };
    pending[audience.document].push(apply);
  };
}

function nounOf(controller: string, { answers: [{ list }] }: DocumentedRoute): string {
  return controller.replace(list === undefined ? /sController$/ : /Controller$/, '');
}

/** Must be called before the document is made. */
export function applyRouteDocs(document: DocumentName): void {
  for (const apply of pending[document].splice(0)) apply();
}

function partsOf(route: Documented, audience: Audience, operationId: string, method: RequestMethod): MethodDecorator[] {
  const { about, answers, body, example, filters, scope, summary, neverRepeated } = route;
  const [{ list, first }] = answers;
  const takesKeys = body !== undefined && !neverRepeated;
  const errors = [
    ...audience.errors(method),
    ...(method === RequestMethod.GET ? [] : OF_WRITES),
    ...(body ? OF_BODIES : []),
    ...(takesKeys ? OF_KEYS : []),
    ...(route.errors ?? []),
  ];
  const description = [about, audience.needs(scope)].filter(Boolean).join('\n\n');
  return [
    ApiOperation({ summary, description, operationId }),
    ...audience.secured(method),
    ApiExtraModels(ErrorResource, ...answers.map(({ resource }) => resource)),
    ...answers.map((answer) => documentAnswer(answer, audience, takesKeys)),
    ...documentErrors(errors, route, audience, takesKeys),
    ...(body ? [ApiBody({ type: body, required: true, ...(example ? { examples: { usual: { value: example } } } : {}) })] : []),
    // A list that answers a write has no pages to choose from.
    ...(list && !body ? listParameters(filters ?? {}, list, first) : filterParameters(filters ?? {})),
    ...(takesKeys ? [KEY_HEADER] : []),
    ...(route.versioned ? [VERSION_HEADER] : []),
  ];
}
