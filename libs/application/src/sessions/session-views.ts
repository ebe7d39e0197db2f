import { Injectable } from '@nestjs/common';
import type { Session } from '@domain/session/session.decider';
import { isRetryableStoreError } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { FreshRows } from '../read-models/fresh-rows.js';
import type { SessionView } from './session.commands.js';
import { sessionsProjection, toRow, toSessionView, type SessionRow } from './sessions.projection.js';

const { name } = sessionsProjection.schema;

/** A call together with the appointments made on it, which are not in its own stream. */
@Injectable()
export class SessionViews {
  constructor(private readonly rows: FreshRows) {}

  /** The view after a command: it answers even if the read model lags and lacks some appointments. */
  async viewOf(session: Session): Promise<SessionView> {
    return this.shown(session, async () => {
      await this.rows.caughtUp(sessionsProjection);
      return this.row(session);
    });
  }

  /** The view for a read. Rejects with `service_unavailable` while a rebuilt read model lacks earlier appointments. */
  async whole(session: Session): Promise<SessionView> {
    return this.shown(session, () => this.rows.whole(sessionsProjection, () => this.row(session)));
  }

  /** A call is shown without appointments while the rows are out of reach: its stream is not. */
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

/** The view of a call by its stream, with the appointments of its row. */
export function viewOf(session: Session, appointmentIds: readonly string[]): SessionView {
  return toSessionView({ id: session.id, row: toRow(session, appointmentIds) });
}
