import { Injectable } from '@nestjs/common';
import { DocumentBuilder } from '@nestjs/swagger';
import { AdminHttpModule } from '../admin/admin-http.module.js';
import { SESSION_COOKIE } from '../admin/presented-token.js';
import { ApiDocument } from './api-document.js';

const DESCRIPTION = `What an administrator does: projects, API keys, tasks, projections, backups, and under
\`/admin/v1/projects/{project_id}/\` everything that the client API does in a project, without its limits.

Every error has the same form; [all codes with cause and cure](/docs/errors). Lists, times, \`null\`,
\`Service-Warning\` and \`Idempotency-Key\` are as in [the client API](/docs); the keys of administrators are
apart from those of a project's clients.`;

const ABOUT_COOKIE = 'The session of a browser, as `POST /admin/v1/login` sets it. It goes with `X-CSRF-Token`, but for GET.';
const ABOUT_CSRF = 'The `csrf_token` of the session, in every request but GET that comes with the cookie.';
const ABOUT_TOKEN = 'The `token` of the session, as `POST /admin/v1/login` answers it. Then the cookie is ignored.';

/** `/admin/openapi.json`: the admin API. */
@Injectable()
export class AdminApiDocument extends ApiDocument {
  protected override readonly facts = {
    name: 'admin',
    title: 'Administration of conversations and webhooks',
    page: '/admin/docs',
    module: AdminHttpModule,
    extraModels: [],
  } as const;

  protected override describeParts(builder: DocumentBuilder): DocumentBuilder {
    return builder
      .setDescription(DESCRIPTION)
      .addTag('Administrators', 'Sessions and the password.')
      .addTag('Projects', 'Whose conversations, appointments and endpoints are apart from each other.')
      .addTag('API keys', 'What opens the client API.')
      .addTag('Installation', 'What belongs to no project alone: issues, tasks, projections, the audit log, backups.')
      .addTag('Conversations', 'Threads between a user and the agent.')
      .addTag('Messages', 'What is said in them: a post is answered with the reply.')
      .addTag('Customers', 'Whom conversations, calls and appointments are with.')
      .addTag('Sessions', 'Calls of the voice agent.')
      .addTag('Appointments', 'The ledger. Every change of a status is an event.')
      .addTag('Tasks', 'Long work in a project.')
      .addTag('Events', 'What webhooks tell, and how its deliveries went.')
      .addTag('Deliveries', 'The sending of each event to each endpoint.')
      .addTag('Webhook endpoints', 'Where events are posted.')
      .addTag('Issues', 'What is wrong in a project.')
      .addApiKey({ type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: ABOUT_COOKIE }, 'session_cookie')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: ABOUT_CSRF }, 'csrf_token')
      .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'adm_…', description: ABOUT_TOKEN }, 'session_token');
  }

  protected override addTo(): void {}
}
