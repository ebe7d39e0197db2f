import type { AppointmentAction } from '@domain/conversation/reply-action';
import type { Toolbox } from '@ports/agent.port';
import type { RequestNames } from '../origin.js';

/** On whose behalf tools run: all of it the server's own knowledge. */
export interface ToolContext {
  readonly projectId: string;
  readonly conversationId: string;
  /** Null as well for one who was deleted. */
  readonly customerId: string | null;
  readonly messageId: string;
  /** Whether its turn was asked before. */
  readonly again: boolean;
  /** What asks for the reply. */
  readonly request: RequestNames;
  /** IANA zone. */
  readonly timeZone: string;
}

export interface TurnToolbox extends Toolbox {
  /** What the calls so far did. */
  readonly effects: readonly AppointmentAction[];

  /** For a turn that was asked before: counts what its calls did then, though they do not come again. */
  recall(): Promise<void>;
}

/** Hands each turn its tools. */
export abstract class Toolboxes {
  abstract open(context: ToolContext): TurnToolbox;
}
