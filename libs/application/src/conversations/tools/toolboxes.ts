import type { AppointmentAction } from '@domain/conversation/reply-action';
import type { Toolbox } from '@ports/agent.port';
import type { ExpectedRevision } from '@ports/event-store.port';
import type { RequestNames } from '../../runtime/request-context.js';

/** When the agent is given up. The window of a request only ends the wait of its client: a later reply is stored. */
export const GIVEN_UP_AFTER_MS = 5 * 60_000;

/** The turn that tools run in. All of it comes from the server, nothing from the agent. */
export interface ToolContext {
  readonly projectId: string;
  readonly conversationId: string;
  /** Null also when the customer was deleted. */
  readonly customerId: string | null;
  readonly messageId: string;
  /** The message's place in the stream of its conversation. */
  readonly revision: ExpectedRevision;
  /** Whether its turn was asked before. */
  readonly isRetry: boolean;
  /** The request that waits for the reply. */
  readonly request: RequestNames;
  /** Until when a client may wait for the reply. */
  readonly windowEndsAt: number;
  /** IANA zone. */
  readonly timeZone: string;
  /** Aborts when the turn is given up. */
  readonly givenUp: AbortSignal;
}

export interface TurnToolbox extends Toolbox {
  /** What the calls so far did. */
  readonly effects: readonly AppointmentAction[];
  /** A call was answered with an error and may have taken effect all the same. */
  readonly isInDoubt: boolean;

  /** Adds to `effects` what calls did without saying so: those of an earlier run of the turn, and those in doubt. */
  recall(): Promise<void>;
}

/** Makes the tools of each turn. */
export abstract class Toolboxes {
  abstract open(context: ToolContext): TurnToolbox;
}
