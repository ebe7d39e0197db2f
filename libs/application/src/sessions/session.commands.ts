import { Command, Query } from '@nestjs/cqrs';
import type { Role } from '@domain/kernel/role';
import type { SessionDirection, SessionOutcome, SessionStatus } from '@domain/session/session.events';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';

/** Times are epoch milliseconds, metadata is JSON text as sent. */
export interface SessionView {
  readonly id: string;
  readonly status: SessionStatus;
  readonly direction: SessionDirection;
  readonly externalId: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly customerId: string | null;
  readonly conversationId: string | null;
  readonly appointmentIds: readonly string[];
  readonly outcome: SessionOutcome | null;
  readonly endReason: string | null;
  readonly summary: string | null;
  readonly metadata: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly durationSeconds: number | null;
}

export interface SessionTurnView {
  readonly id: string;
  readonly sessionId: string;
  readonly role: Role;
  readonly content: string;
  readonly at: number;
  readonly createdAt: number;
}

export interface SessionInput {
  readonly externalId: string | null;
  readonly direction: SessionDirection;
  readonly from: string | null;
  readonly to: string | null;
  readonly customer: CustomerInput | null;
  readonly conversationId: string | null;
  readonly metadata: string;
}

export interface OpenedSession {
  readonly session: SessionView;
  /** False when an open call with this external id existed already. */
  readonly created: boolean;
}

/** Opens a call, or returns the open one with the same external id. */
export class OpenSession extends Command<OpenedSession> {
  constructor(
    readonly context: RequestContext,
    readonly input: SessionInput,
  ) {
    super();
  }
}

export interface SessionEnd {
  readonly outcome: SessionOutcome | null;
  readonly endReason: string | null;
  readonly endedAt: number | null;
  readonly summary: string | null;
}

/** Closing a closed call changes nothing. */
export class CloseSession extends Command<SessionView> {
  constructor(
    readonly context: RequestContext,
    readonly sessionId: string,
    readonly end: SessionEnd,
  ) {
    super();
  }
}

/** Refuses with `session_closed`. */
export class AddSessionTurn extends Command<SessionTurnView> {
  constructor(
    readonly context: RequestContext,
    readonly sessionId: string,
    readonly role: Role,
    readonly content: string,
    /** When the turn was spoken; null for now. */
    readonly spokenAt: number | null,
  ) {
    super();
  }
}

export class GetSession extends Query<SessionView> {
  constructor(
    readonly projectId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

export class ListSessionTurns extends Query<Page<SessionTurnView>> {
  constructor(
    readonly projectId: string,
    readonly sessionId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
