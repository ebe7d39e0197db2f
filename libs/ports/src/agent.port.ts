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
  /** Present on a message that got no reply because its turn failed. */
  readonly failed?: true;
  /** What this agent noted beside this reply in this conversation; never another agent's note. */
  readonly note?: string;
}

/** What an agent is given of an appointment. */
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

/**
 * The outcome of a call. A call that failed with `internal_error` may have taken effect; with any other code it has not. The
 * message may be empty.
 */
export type ToolResult =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The tools of this turn. The server sets their context: project, customer and conversation. */
export interface Toolbox {
  readonly tools: readonly ToolDescription[];
  /**
   * Runs a tool. A call takes effect once, even when the turn is asked again and calls in the same order. Rejects only with
   * an error of the store that may pass (`isRetryableStoreError`), and then in every later call of the turn.
   */
  call(name: string, args: unknown): Promise<ToolResult>;
}

/** One turn to answer (api-contract §16). */
export interface AgentTurn {
  readonly content: string;
  readonly instructions: string;
  /** The conversation's metadata as JSON text. */
  readonly metadata: string;
  readonly now: number;
  /** Until when a client may wait for the reply. Later the agent begins nothing that it can do without. */
  readonly windowEndsAt: number;
  /** The IANA zone of times in ordinary words. */
  readonly timeZone: string;
  readonly customer: CustomerCard | null;
  /**
   * The newest 100 messages of this conversation, oldest first. The last is the one to answer. The call may wait for other
   * conversations' turns to read, so an agent asks for it before other large things.
   */
  transcript(): Promise<readonly TranscriptLine[]>;
  /** Empty without a customer, and when it could not be read in time. */
  memory(): Promise<CustomerMemory>;
  readonly toolbox: Toolbox;
}

/** What the agent says, and what it does to the conversation. */
export interface AgentReply {
  /** Markdown. A blank reply is valid only when the turn took an action; the server then words the reply. */
  readonly content: string;
  readonly actions: readonly StatusAction[];
  /**
   * JSON text of at most `MAX_NOTE_BYTES`, given back in the transcript of the conversation's later turns to the agent of
   * this name alone. Without it nothing is noted. The server drops any other text and keeps the reply.
   */
  readonly note?: string;
}

/** In UTF-8. */
export const MAX_NOTE_BYTES = 2048;

/** The agent gave no usable reply. The message names the cause without any content. */
export class AgentFailed extends Error {
  constructor(
    readonly why: 'unreachable' | 'timeout' | 'http_error' | 'malformed_reply' | 'internal',
    message: string,
    /** When asking again may succeed, as far as the agent was told. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AgentFailed';
  }
}

/** Answers messages. */
export abstract class Agent {
  /** Stored with the agent's notes: it must stay the same for as long as they can be read. */
  abstract readonly name: string;

  /**
   * The reply to a turn. Rejects with `AgentFailed`, also when the signal aborts; and unchanged with an error of the
   * store that may pass (`isRetryableStoreError`), if the transcript or a tool rejects with that: the turn is then asked again.
   */
  abstract reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply>;
}
