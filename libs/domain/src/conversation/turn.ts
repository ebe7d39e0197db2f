/** One posted message and what became of it. */
export interface Turn {
  readonly messageId: string;
  readonly state: 'open' | 'replied' | 'failed';
  /** When it was posted, or asked again. */
  readonly openedAt: number;
  readonly windowEndsAt: number;
}

/** How many closed turns a conversation remembers; an older message is looked up in the stream. */
const REMEMBERED = 32;

export type Turns = readonly Turn[];

export function opened(turns: Turns, turn: Omit<Turn, 'state'>): Turns {
  const others = turns.filter(({ messageId }) => messageId !== turn.messageId);
  return forgetOldest([...others, { ...turn, state: 'open' }]);
}

export function closed(turns: Turns, messageId: string, state: 'replied' | 'failed'): Turns {
  return turns.map((turn) => (turn.messageId === messageId ? { ...turn, state } : turn));
}

export function turnOf(turns: Turns, messageId: string): Turn | undefined {
  return turns.find((turn) => turn.messageId === messageId);
}

export function openTurns(turns: Turns): Turns {
  return turns.filter(({ state }) => state === 'open');
}

/** The open turn that the next message has to wait for, if any. */
export function blockingTurn(turns: Turns, at: number): Turn | undefined {
  return turns.find((turn) => turn.state === 'open' && turn.windowEndsAt > at);
}

function forgetOldest(turns: Turns): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex(({ state }) => state !== 'open');
  return oldest < 0 ? turns : turns.toSpliced(oldest, 1);
}
