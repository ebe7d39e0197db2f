import type { StatusAction } from '@domain/conversation/reply-action';
import type { Role } from '@domain/kernel/role';

export interface CustomerCard {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly externalId: string | null;
  /** JSON text as the client sent it. */
  readonly metadata: string;
}

/** One message, by the customer or by the agent. */
export interface TranscriptLine {
  readonly role: Role;
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** An appointment as an agent is told of it. */
export interface AppointmentSummary {
  readonly id: string;
  readonly service: string;
  /** Epoch milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly timeZone: string;
  readonly status: string;
}

/** Another conversation of the same customer, with its last messages. */
export interface EarlierConversation {
  readonly startedAt: number;
  /** Its status while it has not ended. */
  readonly endReason: string;
  readonly lines: readonly TranscriptLine[];
}

/** What was before with a customer, within `MEMORY_BOUNDS`. */
export interface CustomerMemory {
  /** Upcoming ones soonest first, then up to five past ones newest first. */
  readonly appointments: readonly AppointmentSummary[];
  /** Newest first. */
  readonly conversations: readonly EarlierConversation[];
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * What a call came to. Under `internal_error` it may have been done all the same, under any other code nothing was. The
 * message of a refusal may be empty.
 */
export type ToolResult =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What the server lets an agent do in this turn. The context (project, customer, conversation) is the server's. */
export interface Toolbox {
  readonly tools: readonly ToolDescription[];
  /** Runs a tool; each call takes effect once even when the whole turn is asked again in the same order. Never throws. */
  call(name: string, args: unknown): Promise<ToolResult>;
}

/** One turn to answer (api-contract §16). Everything here was built by the server. */
export interface AgentTurn {
  readonly content: string;
  readonly instructions: string;
  /** The conversation's metadata as JSON text. */
  readonly metadata: string;
  readonly now: number;
  /** IANA zone in which times in ordinary words are read. */
  readonly timeZone: string;
  readonly customer: CustomerCard | null;
  /**
   * This conversation's newest 100 messages up to the one to answer, oldest first; never empty, for that one is the last.
   * May wait for the turns of others, so whatever else is large is better asked for behind it.
   */
  transcript(): Promise<readonly TranscriptLine[]>;
  /** Empty without a customer, and when it is late. */
  memory(): Promise<CustomerMemory>;
  readonly toolbox: Toolbox;
}

/** What the agent says, and what it does to the conversation. */
export interface AgentReply {
  /** Markdown. Blank counts as a reply only where the turn did something, which is then told in words of ours. */
  readonly content: string;
  readonly actions: readonly StatusAction[];
}

/** The agent gave no usable reply. The message names the cause without any content. */
export class AgentFailed extends Error {
  constructor(
    readonly why: 'unreachable' | 'timeout' | 'http_error' | 'malformed_reply' | 'internal',
    message: string,
  ) {
    super(message);
    this.name = 'AgentFailed';
  }
}

/** Whoever answers the messages. */
export abstract class Agent {
  /** One reply to one turn. Rejects with `AgentFailed`; gives up when the signal aborts. */
  abstract reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply>;
}
