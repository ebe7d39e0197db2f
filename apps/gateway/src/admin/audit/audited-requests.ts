import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditTrail } from '@application/audit/audit-trail';
import type { AuditedRequest } from '@domain/audit/audit.events';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { clientAddress } from '../../http/hardening/client-address.js';
import { RequestAudit } from '../../http/pipeline/request-audit.js';
import { actionOf, isAuditable } from './action-of.js';
import { projectIn, subjectOf } from './subject-of.js';
import { StrangerEntries } from './stranger-entries.js';

const SESSION = 'admin_session';

@Injectable()
export class AuditedRequests extends RequestAudit {
  constructor(
    private readonly trail: AuditTrail,
    private readonly strangers: StrangerEntries,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  concerns(request: FastifyRequest): boolean {
    return isAuditable(request);
  }

  async record(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const entry = entryOf(request, reply, payload);
    if (this.strangers.takes(entry)) await this.trail.record(entry, this.envelopeOf(request));
  }

  private envelopeOf({ id: requestId, state: { context } }: FastifyRequest): Envelope {
    if (context) return context.envelope;
    const $correlationId = this.ids.derived('correlation', this.clock.now(), requestId, 'correlation');
    return { $correlationId, $causationId: requestId, requestId };
  }
}

function entryOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): AuditedRequest {
  const subject = subjectOf(request, reply, payload);
  const opened = subject?.object === SESSION ? subject.id : null;
  return {
    sessionId: request.state.adminSession ?? opened,
    action: actionOf(request),
    projectId: projectIn(request) ?? (subject?.object === 'project' ? subject.id : null),
    subject,
    address: clientAddress(request.raw.socket.remoteAddress),
    status: reply.statusCode,
    code: request.state.errorCode,
  };
}
