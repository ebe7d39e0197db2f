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

export interface TranscriptLine {
  readonly role: Role;
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Present on a message that got no reply because its turn failed. */
  readonly failed?: true;
  /** The note that this agent attached to this reply; never another agent's. */
  readonly note?: string;
  /** The name of the human who wrote it in the agent's place. */
  readonly human?: string;
}

/** A human had the conversation and gave it back. */
export interface HandedBack {
  /** Epoch milliseconds. */
  readonly handedOffAt: number;
  readonly resumedAt: number;
  /** What the human wants the agent to know. */
  readonly note: string | null;
}

/** An appointment as an agent sees it. */
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
  /** Why it ended; its status when it has not ended. */
  readonly endReason: string;
  readonly lines: readonly TranscriptLine[];
}

/** A customer's past, within `MEMORY_BOUNDS`. */
export interface CustomerMemory {
  /** Upcoming ones first, the soonest first; then past ones, the newest first. */
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

/** A call that failed with `internal_error` may have taken effect; with any other code it has not. The message may be empty. */
export type ToolResult =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The tools of this turn. The server sets their context: project, customer and conversation. */
export interface Toolbox {
  readonly tools: readonly ToolDescription[];
  /** Takes effect once even if the turn repeats its calls in this order. Rejects only with a retryable store error, and then always. */
  call(name: string, args: unknown): Promise<ToolResult>;
}

/** Takes the reply while the agent still writes it, for clients that stream it. Never throws. */
export interface ReplyDraft {
  /** The next part, of text that is to be said. */
  add(text: string): void;
  /** Takes back everything that was added. */
  reset(): void;
}

/** One turn to answer. */
export interface AgentTurn {
  readonly content: string;
  readonly instructions: string;
  /** The conversation's metadata as JSON text. */
  readonly metadata: string;
  readonly now: number;
  /** The client may wait for the reply until then; after it the agent starts only what it must. */
  readonly windowEndsAt: number;
  /** The IANA time zone of words such as "tomorrow". */
  readonly timeZone: string;
  readonly customer: CustomerCard | null;
  /** The last time that a human gave the conversation back; null where none did. */
  readonly handedBack: HandedBack | null;
  /** The newest 100 messages, oldest first; the last is to be answered. May wait for memory: read it before other large data. */
  transcript(): Promise<readonly TranscriptLine[]>;
  /** Empty without a customer, or when it could not be read in time. */
  memory(): Promise<CustomerMemory>;
  readonly toolbox: Toolbox;
  /** An agent that does not write piece by piece leaves it alone. */
  readonly draft: ReplyDraft;
}

/** The agent's text, and its actions on the conversation. */
export interface AgentReply {
  /** Markdown. A blank reply is valid only when the turn took an action; the server then words the reply. */
  readonly content: string;
  readonly actions: readonly StatusAction[];
  /** JSON text of at most `MAX_NOTE_BYTES`, shown to this agent alone in later transcripts. An invalid note is dropped, the reply kept. */
  readonly note?: string;
}

/** In UTF-8. */
export const MAX_NOTE_BYTES = 2048;

/** The agent gave no usable reply. The message names the cause and quotes no content. */
export class AgentFailed extends Error {
  constructor(
    readonly why: 'unreachable' | 'timeout' | 'http_error' | 'malformed_reply' | 'internal',
    message: string,
    /** Set when a retry may succeed. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AgentFailed';
  }
}

/** Answers messages. */
export abstract class Agent {
  /** Stored with the agent's notes, so it must never change while they are readable. */
  abstract readonly name: string;

  /** Rejects with `AgentFailed`, also on abort, or passes on a retryable store error, after which the turn is repeated. */
  abstract reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply>;
}
