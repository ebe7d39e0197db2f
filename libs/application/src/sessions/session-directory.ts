import { Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { isId } from '@domain/kernel/ids';
import { sessionDecider, staleAt, type Session } from '@domain/session/session.decider';
import { Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReadModels } from '@ports/read-models.port';
import { Claims, type ClaimEnvelope } from '../claims/claims.js';
import { CustomerDirectory } from '../customers/customer-directory.js';
import { TrustedTime } from '../runtime/log-time.js';
import { partOf, type CommandOrigin } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import type { SessionInput } from './session.commands.js';
import { sessionsProjection, type SessionRow } from './sessions.projection.js';

/** Everything needed to open a call; its claim carries it, so that any process can finish the opening. */
export interface SessionCreation extends SessionInput {
  readonly sessionId: string;
  readonly projectId: string;
  readonly at: number;
}

/** A project's calls. At most one open call has a given external id. */
@Injectable()
export class SessionDirectory {
  constructor(
    private readonly streams: StreamRunner,
    private readonly claims: Claims,
    private readonly customers: CustomerDirectory,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly time: TrustedTime,
  ) {}

  /** The call's fold; `resource_missing` for unknown and foreign ids alike. */
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

  /** Opens a call, or returns the open one with the same external id. */
  async open(creation: SessionCreation, origin: CommandOrigin): Promise<Session> {
    const { projectId, sessionId, externalId } = creation;
    if (externalId === null) return this.finish(creation, origin.envelope);
    const { holder, won } = await this.claims.acquire<SessionCreation>({
      kind: 'call',
      projectId,
      value: externalId,
      holder: sessionId,
      creation,
      origin: partOf(origin, 'call'),
      hasLeft: (present, made, _, claim) => this.isOver(present, made, claim, origin.envelope),
    });
    return won ? this.finish(creation, origin.envelope) : this.load(projectId, holder);
  }

  /** Whether a call is open, and not silent for so long that it counts as over. */
  isLive(session: Session): boolean {
    const staleFrom = staleAt(session);
    return staleFrom !== null && this.time.now() < staleFrom;
  }

  /** Closes a stale call, dated at its last known activity, which may be a booking. Rejects when the rows are out of reach. */
  async closeStale(sessionId: string, envelope: Envelope): Promise<Session> {
    return this.runCloseStale(sessionId, await this.lastBookedAt(sessionId), envelope);
  }

  private async isOver(sessionId: string, creation: SessionCreation, claim: ClaimEnvelope, envelope: Envelope): Promise<boolean> {
    const { state } = await this.streams.load(sessionStream(sessionId), sessionDecider);
    const opened = state.status === 'unopened' ? await this.finish(creation, await claim()) : state;
    if (opened.status === 'closed') return true;
    if (this.isLive(opened)) return false;
    const lastBookedAt = await this.lastBookedAt(sessionId).catch((error: unknown) => {
      // The next call does not wait for rows: this one then ends with the last event of its own.
      if (isRetryableStoreError(error)) return null;
      throw error;
    });
    return (await this.runCloseStale(sessionId, lastBookedAt, envelope)).status === 'closed';
  }

  private async lastBookedAt(sessionId: string): Promise<number | null> {
    const [stored] = await this.readModels.getMany(sessionsProjection.schema.name, [sessionId]);
    return (stored?.row as SessionRow | undefined)?.lastBookedAt ?? null;
  }

  private async runCloseStale(sessionId: string, lastBookedAt: number | null, envelope: Envelope): Promise<Session> {
    const command = { type: 'CloseStaleSession', at: this.time.now(), lastBookedAt } as const;
    return (await this.streams.run(sessionStream(sessionId), sessionDecider, command, envelope)).state;
  }

  private async finish({ customer, ...creation }: SessionCreation, envelope: Envelope): Promise<Session> {
    const { sessionId, projectId, at } = creation;
    const stream = sessionStream(sessionId);
    const candidate = this.ids.derived('customer', at, projectId, sessionId);
    const commandId = `${sessionId}:opening`;
    const linked = customer && (await this.customers.link(projectId, customer, candidate, { commandId, envelope }));
    const command = { ...creation, type: 'OpenSession', at: this.clock.now(), customerId: linked?.customer.id ?? null } as const;
    return (await this.streams.run(stream, sessionDecider, command, envelope, { commandId })).state;
  }
}

export function sessionStream(sessionId: string): string {
  return `session-${sessionId}`;
}
