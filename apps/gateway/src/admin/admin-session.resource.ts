import type { AdminSession, OpenedSession } from '@application/admin/admin-sessions';
import { toTime } from '@application/read-models/time.resource';

/** A session without its token. */
export function toAdminSessionResource({ csrfToken, expiresAt }: AdminSession) {
  return { object: 'admin_session', csrf_token: csrfToken, expires_at: toTime(expiresAt) };
}

/** A session that was just opened: the only answer that contains its token. */
export function toOpenedSessionResource(session: OpenedSession) {
  const { object, ...rest } = toAdminSessionResource(session);
  return { object, token: session.token, ...rest };
}
