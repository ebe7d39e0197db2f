import { Command, Query } from '@nestjs/cqrs';
import type { Role } from '@domain/kernel/role';
import type { SessionDirection, SessionOutcome, SessionStatus } from '@domain/session/session.events';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';

/** A call in answers. Times are epoch milliseconds, metadata is JSON text as sent. */
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
  /** The instant at which the turn was spoken. */
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

/** Closes a call; closing a closed one changes nothing. */
export class CloseSession extends Command<SessionView> {
  constructor(
    readonly context: RequestContext,
    readonly sessionId: string,
    readonly end: SessionEnd,
  ) {
    super();
  }
}

/** Adds to the transcript of an open call. Refuses with `session_closed`. */
export class AddSessionTurn extends Command<SessionTurnView> {
  constructor(
    readonly context: RequestContext,
    readonly sessionId: string,
    readonly role: Role,
    readonly content: string,
    /** The instant at which the turn was spoken; null for now. */
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

/** A page of a call's transcript, oldest first unless the page says `desc`. */
export class ListSessionTurns extends Query<Page<SessionTurnView>> {
  constructor(
    readonly projectId: string,
    readonly sessionId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
