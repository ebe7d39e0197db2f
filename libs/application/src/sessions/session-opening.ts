import { Injectable } from '@nestjs/common';
import { sessionDecider, type Session } from '@domain/session/session.decider';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Claims, type ClaimEnvelope } from '../claims/claims.js';
import { CustomerDirectory } from '../customers/customer-directory.js';
import { partOf, type CommandOrigin } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { SessionDirectory } from './session-directory.js';
import { sessionStream } from './session-stream.js';
import type { SessionInput } from './session.commands.js';

/** Stored in the claim, so that any process can finish the opening. */
export interface SessionCreation extends SessionInput {
  readonly sessionId: string;
  readonly projectId: string;
  readonly at: number;
}

/** Opens calls. A project has at most one open call with a given external id. */
@Injectable()
export class SessionOpening {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly streams: StreamRunner,
    private readonly claims: Claims,
    private readonly customers: CustomerDirectory,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

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
    return won ? this.finish(creation, origin.envelope) : this.directory.load(projectId, holder);
  }

  private async isOver(sessionId: string, creation: SessionCreation, claim: ClaimEnvelope, envelope: Envelope): Promise<boolean> {
    const opened = (await this.directory.peek(sessionId)) ?? (await this.finish(creation, await claim()));
    if (opened.status === 'closed') return true;
    if (this.directory.isLive(opened)) return false;
    return (await this.directory.closeStaleWithoutWaiting(sessionId, envelope)).status === 'closed';
  }

  private async finish({ customer, ...creation }: SessionCreation, envelope: Envelope): Promise<Session> {
    const { sessionId, projectId, at } = creation;
    const candidate = this.ids.derived('customer', at, projectId, sessionId);
    const commandId = `${sessionId}:opening`;
    const linked = customer && (await this.customers.link(projectId, customer, candidate, { commandId, envelope }));
    const command = { ...creation, type: 'OpenSession', at: this.clock.now(), customerId: linked?.customer.id ?? null } as const;
    return (await this.streams.run(sessionStream(sessionId), sessionDecider, command, envelope, { commandId })).state;
  }
}
