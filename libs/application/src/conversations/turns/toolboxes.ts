import type { AppointmentAction } from '@domain/conversation/reply-action';
import type { Toolbox } from '@ports/agent.port';
import type { RequestNames } from '../../request-context.js';

/** On whose behalf tools run: all of it the server's own knowledge. */
export interface ToolContext {
  readonly projectId: string;
  readonly conversationId: string;
  /** Null as well for one who was deleted. */
  readonly customerId: string | null;
  readonly messageId: string;
  /** Whether its turn was asked before. */
  readonly isRetry: boolean;
  /** What asks for the reply. */
  readonly request: RequestNames;
  /** IANA zone. */
  readonly timeZone: string;
  /** Aborts when the turn will have no reply any more. */
  readonly givenUp: AbortSignal;
}

export interface TurnToolbox extends Toolbox {
  /** What the calls so far did. */
  readonly effects: readonly AppointmentAction[];
  /** Whether a call may have done more than it told. */
  readonly isInDoubt: boolean;

  /** Counts what calls did without telling: those of an earlier asking, which do not come again, and those in doubt. */
  recall(): Promise<void>;
}

/** Hands each turn its tools. */
export abstract class Toolboxes {
  abstract open(context: ToolContext): TurnToolbox;
}
