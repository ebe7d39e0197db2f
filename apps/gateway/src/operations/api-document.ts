import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { listeningUrl } from '@composition/startup/listening-url';
import { EVENT_WINDOW_DAYS } from '@domain/event/event-window';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { Settings } from '@ports/settings.port';
import { ANSWER_HEADERS, PAGES } from '../http/docs/document-answer.js';
import { applyRouteDocs } from '../http/docs/route-docs.js';
import { VIOLATIONS } from '../http/fields/rules.js';
import { WebhookEventResource } from '../v1/event.resource.js';
import { webhooks } from './webhooks.js';

const TITLE = 'Conversation messaging and appointment webhooks';
const ABOUT_ADDRESS = 'Where the service is reached.';
/** The document is made once with this, which each copy replaces by its address. No host has such a name. */
const PLACEHOLDER = 'http://address.invalid';
/** Documents that are kept, one for each address: clients that read slowly share one, and made-up hosts cannot fill the memory. */
const MAX_ADDRESSES = 16;
const ABOUT_KEY =
  'An API key, which an administrator made for one project. It opens the operations whose scope it has; a key that was made ' +
  'without naming scopes has all of them.';
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const DESCRIPTION = `Conversations with an agent, customers, an appointment ledger, and signed webhooks about it.

Every error has the same form; [all codes with cause and cure](/docs/errors). Retry \`POST\` and \`PATCH\` safely with an
\`Idempotency-Key\`. Lists are walked with \`starting_after\`; for filters with brackets,
such as \`created_at[gte]\`, \`curl\` needs \`-g\`. Times are ISO 8601;
in answers they are in UTC with milliseconds. In a body, \`null\` is the same as leaving an optional member out, unless its
description says otherwise. Unknown members and parameters are ignored; the header
\`Service-Warning\` names them. What endpoints are sent, and how to verify it, stands under
Webhooks, at the end.`;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** The OpenAPI document of everything under /v1, rendered at the first request for it. */
@Injectable()
export class ApiDocument {
  private app: NestFastifyApplication | null = null;
  private host = '';
  private publicUrl: string | null = null;
  private text: string | null = null;
  private readonly rendered = new Map<string, Buffer>();

  /**
   * @param host what the application listens on, once it does
   * @param publicUrl where clients reach it; null where no setting says so
   */
  describe(app: NestFastifyApplication, { host, publicUrl }: { readonly host: string; readonly publicUrl: string | null }): void {
    this.app = app;
    this.host = host;
    this.publicUrl = publicUrl;
  }

  /**
   * The document as JSON; every caller at one address gets the same buffer. The application must listen.
   * @param requested the address that the document is asked for at; null where that is not known
   */
  render(requested: string | null): Buffer {
    const app = this.described();
    const wanted = this.publicUrl ?? requested ?? this.address(app);
    const known = this.rendered.get(wanted);
    if (known) return known;
    // The last place is for the address that the service listens on.
    const address = this.rendered.size < MAX_ADDRESSES - 1 ? wanted : this.address(app);
    this.text ??= JSON.stringify(this.build(app));
    const document = this.rendered.get(address) ?? Buffer.from(this.text.replaceAll(PLACEHOLDER, address));
    this.rendered.set(address, document);
    return document;
  }

  private described(): NestFastifyApplication {
    if (!this.app) throw new Error('there is no application to describe');
    return this.app;
  }

  private build(app: NestFastifyApplication): OpenAPIObject {
    const config = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(TITLE)
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .addServer('{address}', 'The service that serves this document.', {
        address: { default: PLACEHOLDER, description: ABOUT_ADDRESS },
      })
      .addTag('Conversations', 'Threads between a user and the agent.')
      .addTag('Messages', 'What is said in them: a post is answered with the reply.')
      .addTag('Customers', 'Whom conversations, calls and appointments are with.')
      .addTag('Sessions', 'Calls of the voice agent.')
      .addTag('Appointments', 'The ledger. Every change of a status is an event.')
      .addTag('Events', `What webhooks tell, kept for ${EVENT_WINDOW_DAYS} days, and how its deliveries went.`)
      .addTag('Webhook endpoints', 'Where events are posted.')
      .addTag('Webhooks', 'What endpoints are sent.')
      .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sk_…', description: ABOUT_KEY }, 'api_key')
      .build();
    applyRouteDocs();
    const document = SwaggerModule.createDocument(app, config, { extraModels: [WebhookEventResource] });
    document.webhooks = webhooks(app.get(Settings).webhookTimeoutMs);
    // Generators of clients refuse a document whose contact is no whole address.
    const contact = { name: TITLE, url: `${PLACEHOLDER}/docs` };
    Object.assign(document.info, { contact, license: { name: 'MIT', identifier: 'MIT' } });
    completeAll(document);
    return document;
  }

  /** Of a service that listens on every address, the one that this machine reaches it at. */
  private address(app: NestFastifyApplication): string {
    return listeningUrl(app, EVERY_ADDRESS.has(this.host) ? '127.0.0.1' : this.host);
  }
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

function operationsOf({ paths }: OpenAPIObject): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Operation][] => (item[method] ? [[path, item[method]]] : [])),
  );
}

/** Adds the schemas and conditions that Nest's decorators of a single operation cannot express. */
function completeAll(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  Object.assign(schemas, Object.fromEntries(PAGES));
  for (const [name, violations] of VIOLATIONS) Object.assign(schemas[name] ?? {}, refusing(violations));
  Object.assign(document.components ?? {}, { headers: ANSWER_HEADERS });
  for (const [path, operation] of operationsOf(document)) complete(operation, path, schemas);
}

/** Adds what no decorator can: the ids of the path, and whether the body is required. */
function complete(operation: Operation, path: string, schemas: Schemas): void {
  operation.parameters = [...idsIn(path), ...(operation.parameters ?? [])];
  const { requestBody } = operation;
  if (!requestBody || '$ref' in requestBody) return;
  const body = requestBody.content['application/json']?.schema;
  const named = body && '$ref' in body ? schemas[body.$ref.split('/').at(-1) ?? ''] : body;
  if (named && 'description' in named && named.description) requestBody.description = named.description;
  requestBody.required = named !== undefined && refusesEmpty(named);
}

/** The kind of an id in a path, by the path segment before it. */
const KINDS: Readonly<Record<string, IdKind>> = {
  conversations: 'conversation',
  customers: 'customer',
  sessions: 'session',
  appointments: 'appointment',
  webhook_endpoints: 'endpoint',
  events: 'event',
  deliveries: 'delivery',
};

/** What a kind of id names, where that is another word. */
const NOUNS: Partial<Record<IdKind, string>> = { session: 'call', endpoint: 'webhook endpoint' };

function idsIn(path: string) {
  return [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, word = '', name = '']) => {
    const kind = KINDS[word];
    if (!kind) throw new Error(`nobody knows what kind of id follows ${word}`);
    const schema = { type: 'string' as const, pattern: idPattern(kind) };
    return { name, in: 'path' as const, required: true, description: aboutId(kind), schema };
  });
}

function aboutId(kind: IdKind): string {
  return `The \`id\` of the ${NOUNS[kind] ?? kind}. One that is unknown, or another project's, is answered 404.`;
}

/**
 * Refuses objects that match one of the schemas. It is a condition because generators of clients pass over those: of `anyOf`,
 * `allOf` and `not` they make classes, and members that every object must have.
 */
function refusing([first = {}, ...others]: readonly object[]) {
  return { if: others.length === 0 ? first : { anyOf: [first, ...others] }, then: { not: {} } };
}

/** Whether an empty object violates the schema: a member is required, or refused is what lacks one. */
function refusesEmpty(schema: object): boolean {
  const { required = [], if: refused = {} } = schema as { readonly required?: readonly string[]; readonly if?: object };
  return required.length > 0 || 'not' in refused;
}
