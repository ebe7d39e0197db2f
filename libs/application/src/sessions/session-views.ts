import { Injectable } from '@nestjs/common';
import type { Session } from '@domain/session/session.decider';
import { isRetryableStoreError } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { FreshRows } from '../read-models/fresh-rows.js';
import type { SessionView } from './session.commands.js';
import { sessionsProjection, toRow, toSessionView, type SessionRow } from './sessions.projection.js';

const { name } = sessionsProjection.schema;

/** A call with the appointments made on it, which are not in its own stream. */
@Injectable()
export class SessionViews {
  constructor(private readonly rows: FreshRows) {}

  /** For a command: answers even if the read model lags and lacks some appointments. */
  async viewOf(session: Session): Promise<SessionView> {
    return this.shown(session, async () => {
      await this.rows.caughtUp(sessionsProjection);
      return this.row(session);
    });
  }

  /** For a read. Rejects with `service_unavailable` while a rebuilt read model lacks earlier appointments. */
  async whole(session: Session): Promise<SessionView> {
    return this.shown(session, () => this.rows.whole(sessionsProjection, () => this.row(session)));
  }

  /** While the rows are unreachable the call is shown without appointments: its stream is readable. */
  private async shown(session: Session, read: () => Promise<StoredRow | null>): Promise<SessionView> {
    try {
      const stored = await read();
      return viewOf(session, (stored?.row as SessionRow | undefined)?.appointmentIds ?? []);
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
      return viewOf(session, []);
    }
  }

  private row({ projectId, id }: Session): Promise<StoredRow | null> {
    return this.rows.find(name, projectId, id);
  }
}

export function viewOf(session: Session, appointmentIds: readonly string[]): SessionView {
  return toSessionView({ id: session.id, row: toRow(session, appointmentIds) });
}
