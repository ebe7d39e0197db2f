import type { AppointmentAction } from '@domain/conversation/reply-action';
import type { Toolbox } from '@ports/agent.port';
import type { ExpectedRevision } from '@ports/event-store.port';
import type { RequestNames } from '../../runtime/request-context.js';

/** After this the agent is aborted. A request's window ends only its client's wait: a later reply is still stored. */
export const GIVEN_UP_AFTER_MS = 5 * 60_000;

/** Comes from the server only, never from the agent. */
export interface ToolContext {
  readonly projectId: string;
  readonly conversationId: string;
  /** Null also when the customer was deleted. */
  readonly customerId: string | null;
  readonly messageId: string;
  readonly revision: ExpectedRevision;
  /** Whether the turn ran before. */
  readonly isRetry: boolean;
  readonly request: RequestNames;
  /** When the client stops waiting for the reply. */
  readonly windowEndsAt: number;
  readonly timeZone: string;
  readonly givenUp: AbortSignal;
}

export interface TurnToolbox extends Toolbox {
  readonly effects: readonly AppointmentAction[];
  /** Whether a call failed that may have taken effect. */
  readonly isInDoubt: boolean;

  /** Adds to `effects` those of an earlier run of the turn, and those of calls with unknown outcome. */
  recall(): Promise<void>;
}

export abstract class Toolboxes {
  abstract open(context: ToolContext): TurnToolbox;
}
