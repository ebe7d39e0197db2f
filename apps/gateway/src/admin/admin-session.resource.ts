import { ApiSchema } from '@nestjs/swagger';
import type { AdminSession, OpenedSession } from '@application/admin/admin-sessions';
import { toTime } from '@application/read-models/time.resource';
import { idOf, KindMember, Member, TEXT, TIME } from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'An administrator who has logged in.' })
export class AdminSessionResource {
  @Member(idOf('adminSession'), 'Names the session in the audit log and in what it changes.') id!: string;
  @KindMember('admin_session') object!: 'admin_session';
  @Member(TEXT, 'What `X-CSRF-Token` says in every request but GET that comes with the session cookie.') csrf_token!: string;
  @Member(TIME, 'When the session ends.') expires_at!: string;
}

@ApiSchema({ description: 'A new session, with its token, which is shown this once.' })
export class OpenedAdminSessionResource extends AdminSessionResource {
  @Member(TEXT, 'For `Authorization: Bearer <token>`. Browsers have it as a cookie.') token!: string;
}

@ApiSchema({ description: 'A session that is over.' })
export class EndedAdminSessionResource {
  @KindMember('admin_session') object!: 'admin_session';
  @Member({ type: 'boolean', enum: [true] }, 'Always true: the session has ended.') deleted!: true;
}

export function toAdminSessionResource({ id, csrfToken, expiresAt }: AdminSession): AdminSessionResource {
  return { id, object: 'admin_session', csrf_token: csrfToken, expires_at: toTime(expiresAt) };
}

/** The only answer that contains the session's token. */
export function toOpenedSessionResource(session: OpenedSession): OpenedAdminSessionResource {
  const { id, object, ...rest } = toAdminSessionResource(session);
  return { id, object, token: session.token, ...rest };
}
