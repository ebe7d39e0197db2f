import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeRoutes } from '../http/route-docs.js';

const DESCRIPTION = `Conversations with an agent, customers, an appointment ledger, and signed webhooks about it.

Every error has the same form; [all codes with cause and cure](/docs/errors). Retry \`POST\` and \`PATCH\` safely with an
\`Idempotency-Key\`. Lists are walked with \`starting_after\`.`;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** A customer must be reachable: one of the two must be there, and not null. */
const REACHABLE = ['phone', 'email'].map((name) => ({ required: [name], properties: { [name]: { type: 'string' } } }));

/** The OpenAPI document of everything under /v1, made when it is first asked for. */
@Injectable()
export class ApiDocument {
  private app: INestApplication | null = null;
  private rendered: string | null = null;

  describe(app: INestApplication): void {
    this.app = app;
  }

  render(): string {
    this.rendered ??= JSON.stringify(this.build());
    return this.rendered;
  }

  private build(): OpenAPIObject {
    if (!this.app) throw new Error('there is no application to describe');
    const config = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle('Conversation messaging and appointment webhooks')
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .addServer('/')
      .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sk_…', description: 'An API key.' }, 'api_key')
      .build();
    describeRoutes();
    const document = SwaggerModule.createDocument(this.app, config);
    const ours = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
    document.paths = Object.fromEntries(ours);
    const schemas = document.components?.schemas ?? {};
    Object.assign(schemas['CustomerDto'] ?? {}, { anyOf: REACHABLE });
    for (const [path, operation] of operationsOf(document)) complete(operation, path, schemas);
    return document;
  }
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

function operationsOf({ paths }: OpenAPIObject): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Operation][] => (item[method] ? [[path, item[method]]] : [])),
  );
}

/** What no decorator tells: handlers take the request as a whole, and a body without required members may be left out. */
function complete(operation: Operation, path: string, schemas: Schemas): void {
  const schema = { type: 'string', minLength: 1 } as const;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path' as const, required: true, schema }));
  operation.parameters = [...inPath, ...(operation.parameters ?? [])];
  const { requestBody } = operation;
  if (!requestBody || '$ref' in requestBody) return;
  const body = requestBody.content['application/json']?.schema;
  const named = body && '$ref' in body ? schemas[body.$ref.split('/').at(-1) ?? ''] : body;
  requestBody.required = named !== undefined && !('$ref' in named) && Boolean(named.required ?? named.anyOf);
}
