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

/** With this turn open and newest, also when it was there before. */
export function opened(turns: Turns, turn: Omit<Turn, 'state'>): Turns {
  const { messageId, openedAt, windowEndsAt } = turn;
  const others = turnOf(turns, messageId) ? turns.filter((other) => other.messageId !== messageId) : turns;
  return forgetOldest([...others, { messageId, state: 'open', openedAt, windowEndsAt }]);
}

/** With that turn closed; unchanged when it is not remembered. */
export function closed(turns: Turns, messageId: string, state: 'replied' | 'failed'): Turns {
  const index = turns.findIndex((turn) => turn.messageId === messageId);
  const turn = turns[index];
  return turn ? turns.with(index, { ...turn, state }) : turns;
}

/** Undefined also when the turn has been forgotten since: the stream still knows it. */
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

/** The turns are the caller's own copy. */
function forgetOldest(turns: Turn[]): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex(({ state }) => state !== 'open');
  if (oldest >= 0) turns.splice(oldest, 1);
  return turns;
}
