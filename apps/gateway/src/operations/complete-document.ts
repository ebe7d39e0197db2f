import type { OpenAPIObject } from '@nestjs/swagger';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { ANSWER_HEADERS } from '../http/docs/answer-headers.js';
import { PAGES } from '../http/docs/document-answer.js';
import { VIOLATIONS } from '../http/fields/rules.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

function operationsOf({ paths }: OpenAPIObject): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Operation][] => (item[method] ? [[path, item[method]]] : [])),
  );
}

/** Adds what Nest does not know: pages, headers, parts of paths, and which bodies are refused. */
export function completeDocument(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const text = JSON.stringify(document.paths);
  const referred = (part: string, all: Iterable<[string, object]>) =>
    Object.fromEntries([...all].filter(([name]) => text.includes(`"#/components/${part}/${name}"`)));
  Object.assign(schemas, referred('schemas', PAGES));
  for (const [name, violations] of VIOLATIONS) Object.assign(schemas[name] ?? {}, refusing(violations));
  Object.assign(document.components ?? {}, { headers: referred('headers', Object.entries(ANSWER_HEADERS)) });
  for (const [path, operation] of operationsOf(document)) complete(operation, path, schemas);
}

function complete(operation: Operation, path: string, schemas: Schemas): void {
  operation.parameters = [...idsIn(path), ...(operation.parameters ?? [])];
  const { requestBody } = operation;
  if (!requestBody || '$ref' in requestBody) return;
  const body = requestBody.content['application/json']?.schema;
  const named = body && '$ref' in body ? schemas[body.$ref.split('/').at(-1) ?? ''] : body;
  if (named && 'description' in named && named.description) requestBody.description = named.description;
  requestBody.required = named !== undefined && refusesEmpty(named);
}

const KINDS: Readonly<Record<string, IdKind>> = {
  conversations: 'conversation',
  messages: 'message',
  customers: 'customer',
  sessions: 'session',
  appointments: 'appointment',
  webhook_endpoints: 'endpoint',
  events: 'event',
  deliveries: 'delivery',
  issues: 'issue',
  tasks: 'task',
  skipped_events: 'skippedEvent',
  projects: 'project',
  api_keys: 'apiKey',
};
/** What follows these is no id of a resource. */
const NAMED: Readonly<Record<string, string>> = {
  projections: 'The `name` of the projection.',
  rows: 'The id of the row, which is that of what it is about.',
  requests: 'The `Request-Id` of the answer to the request.',
};

const NOUNS: Partial<Record<IdKind, string>> = {
  session: 'call',
  endpoint: 'webhook endpoint',
  apiKey: 'API key',
  skippedEvent: 'skipped event',
};

function idsIn(path: string) {
  return [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, word = '', name = '']) => {
    const about = NAMED[word];
    if (about) return { name, in: 'path' as const, required: true, description: about, schema: { type: 'string' as const } };
    const kind = KINDS[word];
    if (!kind) throw new Error(`nobody knows what kind of id follows ${word}`);
    const schema = { type: 'string' as const, pattern: idPattern(kind) };
    return { name, in: 'path' as const, required: true, description: aboutId(kind), schema };
  });
}

function aboutId(kind: IdKind): string {
  const others = kind === 'project' ? '' : ", or another project's,";
  return `The \`id\` of the ${NOUNS[kind] ?? kind}. One that is unknown${others} is answered 404.`;
}

/** Refuses objects that match a schema. An `if`, because client generators turn `anyOf`, `allOf` and `not` into classes. */
function refusing([first = {}, ...others]: readonly object[]) {
  return { if: others.length === 0 ? first : { anyOf: [first, ...others] }, then: { not: {} } };
}

function refusesEmpty(schema: object): boolean {
  const { required = [], if: refused = {} } = schema as { readonly required?: readonly string[]; readonly if?: object };
  return required.length > 0 || 'not' in refused;
}
