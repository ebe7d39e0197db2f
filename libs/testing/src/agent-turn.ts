import type { AgentTurn, CustomerCard, CustomerMemory, HandedBack, ReplyDraft, Toolbox, TranscriptLine } from '@ports/agent.port';

export const NO_MEMORY: CustomerMemory = { appointments: [], conversations: [] };

const NO_TOOLS: Toolbox = {
  tools: [],
  call: async () => ({ ok: false, code: 'unknown_tool', message: 'There is no such tool.' }),
};

export interface TurnParts {
  readonly content: string;
  /** The lines before the message to answer. */
  readonly before?: readonly TranscriptLine[];
  readonly memory?: CustomerMemory;
  readonly customer?: CustomerCard | null;
  readonly toolbox?: Toolbox;
  readonly instructions?: string;
  readonly metadata?: string;
  readonly now?: number;
  /** The instant of the message to answer; `now` by default. */
  readonly saidAt?: number;
  readonly timeZone?: string;
  readonly handedBack?: HandedBack | null;
  readonly draft?: ReplyDraft;
  /** Without end by default. */
  readonly windowEndsAt?: number;
}

/** A turn as the server builds it, on Monday, 2 March 2026 at 09:00 UTC. */
export function agentTurn(parts: TurnParts): AgentTurn {
  const { content, before = [], memory = NO_MEMORY, now = Date.UTC(2026, 2, 2, 9), saidAt = now } = parts;
  return {
    content,
    instructions: parts.instructions ?? '',
    metadata: parts.metadata ?? '{}',
    now,
    windowEndsAt: parts.windowEndsAt ?? Infinity,
    timeZone: parts.timeZone ?? 'UTC',
    customer: parts.customer ?? null,
    transcript: async () => [...before, { role: 'user', content, at: saidAt }],
    memory: async () => memory,
    toolbox: parts.toolbox ?? NO_TOOLS,
    handedBack: parts.handedBack ?? null,
    draft: parts.draft ?? { add: () => undefined, reset: () => undefined },
  };
}

export const ANNA: CustomerCard = {
  id: 'cust_01J9Z3K8R0000000000000000A',
  name: 'Anna Schmidt',
  phone: '+4915112345678',
  email: null,
  externalId: null,
  metadata: '{"tier":"gold"}',
};
