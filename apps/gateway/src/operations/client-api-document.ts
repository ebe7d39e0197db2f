import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { EVENT_WINDOW_DAYS } from '@domain/event/event-window';
import { Settings } from '@ports/settings.port';
import { WebhookEventResource } from '../v1/event.resource.js';
import { ClientHttpModule } from '../v1/client-http.module.js';
import { ApiDocument } from './api-document.js';
import { webhooks } from './webhooks.js';

const TITLE = 'Conversation messaging and appointment webhooks';
const ABOUT_KEY =
  'An API key, which an administrator made for one project. It opens the operations whose scope it has; a key that was made ' +
  'without naming scopes has all of them.';

const DESCRIPTION = `Conversations with an agent, customers, an appointment ledger, and signed webhooks about it.

Every error has the same form; [all codes with cause and cure](/docs/errors). Retry \`POST\` and \`PATCH\` safely with an
\`Idempotency-Key\`. Lists are walked with \`starting_after\`; for filters with brackets,
such as \`created_at[gte]\`, \`curl\` needs \`-g\`. Times are ISO 8601;
in answers they are in UTC with milliseconds. In a body, \`null\` is the same as leaving an optional member out, unless its
description says otherwise. Unknown members and parameters are ignored; the header
\`Service-Warning\` names them. What endpoints are sent, and how to verify it, stands under
Webhooks, at the end.`;

/** `/openapi.json`: the client API, and what webhooks tell. */
@Injectable()
export class ClientApiDocument extends ApiDocument {
  protected override readonly facts = {
    name: 'client',
    title: TITLE,
    page: '/docs',
    module: ClientHttpModule,
    extraModels: [WebhookEventResource],
  } as const;

  protected override describeParts(builder: DocumentBuilder): DocumentBuilder {
    return builder
      .setDescription(DESCRIPTION)
      .addTag('Conversations', 'Threads between a user and the agent.')
      .addTag('Messages', 'What is said in them: a post is answered with the reply.')
      .addTag('Customers', 'Whom conversations, calls and appointments are with.')
      .addTag('Sessions', 'Calls of the voice agent.')
      .addTag('Appointments', 'The ledger. Every change of a status is an event.')
      .addTag('Tasks', 'Long work that was asked for: how far it is, and how to stop it.')
      .addTag('Events', `What webhooks tell, kept for ${EVENT_WINDOW_DAYS} days, and how its deliveries went.`)
      .addTag('Deliveries', 'The sending of each event to each endpoint.')
      .addTag('Webhook endpoints', 'Where events are posted.')
      .addTag('Issues', 'What is wrong with deliveries and agents, each thing once.')
      .addTag('Webhooks', 'What endpoints are sent.')
      .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sk_…', description: ABOUT_KEY }, 'api_key');
  }

  protected override addTo(document: OpenAPIObject, app: NestFastifyApplication): void {
    document.webhooks = webhooks(app.get(Settings).webhookTimeoutMs);
  }
}
