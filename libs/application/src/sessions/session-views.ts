import { Injectable } from '@nestjs/common';
import { durationSeconds, type Session } from '@domain/session/session.decider';
import { FreshRows } from '../projections/fresh-rows.js';
import type { SessionView } from './session.commands.js';
import { sessionsProjection, type SessionRow } from './sessions.projection.js';

/** A call together with the appointments made on it, which are not in its own stream. */
@Injectable()
export class SessionViews {
  constructor(private readonly rows: FreshRows) {}

  async of(session: Session): Promise<SessionView> {
    const { name } = sessionsProjection.schema;
    await this.rows.caughtUp(name);
    const stored = await this.rows.find(name, session.projectId, session.id);
    return viewOf(session, (stored?.row as SessionRow | undefined)?.appointmentIds ?? []);
  }
}

/** A call as its stream tells it, with the appointments that a row knows of. */
export function viewOf(session: Session, appointmentIds: readonly string[]): SessionView {
  const { id, direction, externalId, from, to, customerId, conversationId } = session;
  const { outcome, endReason, summary, metadata, startedAt, endedAt } = session;
  return {
    ...{ id, direction, externalId, from, to, customerId, conversationId, appointmentIds },
    ...{ outcome, endReason, summary, metadata, startedAt, endedAt },
    status: session.status === 'closed' ? 'closed' : 'open',
    durationSeconds: durationSeconds(session),
  };
}
