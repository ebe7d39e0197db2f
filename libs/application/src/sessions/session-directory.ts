import { Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { isId } from '@domain/kernel/ids';
import { sessionDecider, staleAt, type Session } from '@domain/session/session.decider';
import { isRetryableStoreError } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { TrustedTime } from '../runtime/log-time.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { sessionStream } from './session-stream.js';
import { sessionsProjection, type SessionRow } from './sessions.projection.js';

@Injectable()
export class SessionDirectory {
  constructor(
    private readonly streams: StreamRunner,
    private readonly readModels: ReadModels,
    private readonly time: TrustedTime,
  ) {}

  /** `resource_missing` for unknown and foreign ids alike. */
  async load(projectId: string, sessionId: string, param = 'id'): Promise<Session> {
    if (!isId('session', sessionId)) throw resourceMissing('session', param);
    const { state } = await this.streams.load(sessionStream(sessionId), sessionDecider);
    if (state.status === 'unopened' || state.projectId !== projectId) throw resourceMissing('session', param);
    return state;
  }

  /** The call of a generated id; null before it is opened. */
  async peek(sessionId: string): Promise<Session | null> {
    const { state } = await this.streams.load(sessionStream(sessionId), sessionDecider);
    return state.status === 'unopened' ? null : state;
  }

  /** Whether a call is open and not stale. */
  isLive(session: Session): boolean {
    const staleFrom = staleAt(session);
    return staleFrom !== null && this.time.now() < staleFrom;
  }

  /** Closes a stale call, dated at its last known activity, which may be a booking. Rejects when the rows are unreachable. */
  async closeStale(sessionId: string, envelope: Envelope): Promise<Session> {
    return this.runCloseStale(sessionId, await this.lastBookedAt(sessionId), envelope);
  }

  /** Like `closeStale`, but while the rows are unreachable the call ends with its own last event: the next call does not wait. */
  async closeStaleWithoutWaiting(sessionId: string, envelope: Envelope): Promise<Session> {
    const lastBookedAt = await this.lastBookedAt(sessionId).catch((error: unknown) => {
      if (isRetryableStoreError(error)) return null;
      throw error;
    });
    return this.runCloseStale(sessionId, lastBookedAt, envelope);
  }

  private async lastBookedAt(sessionId: string): Promise<number | null> {
    const [stored] = await this.readModels.getMany(sessionsProjection.schema.name, [sessionId]);
    return (stored?.row as SessionRow | undefined)?.lastBookedAt ?? null;
  }

  private async runCloseStale(sessionId: string, lastBookedAt: number | null, envelope: Envelope): Promise<Session> {
    const command = { type: 'CloseStaleSession', at: this.time.now(), lastBookedAt } as const;
    return (await this.streams.run(sessionStream(sessionId), sessionDecider, command, envelope)).state;
  }
}
