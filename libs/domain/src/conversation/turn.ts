/** One posted message and what became of it. */
export interface Turn {
  readonly messageId: string;
  readonly state: 'open' | 'replied' | 'failed';
  /** When it was posted, or asked again. */
  readonly openedAt: number;
  readonly windowEndsAt: number;
}

/** How many closed turns a conversation remembers; an older message is looked up in the stream. */
const REMEMBERED = 8;

export type Turns = readonly Turn[];

/** With this turn open: in its place if it was open before, else newest. */
export function opened(turns: Turns, { messageId, openedAt, windowEndsAt }: Omit<Turn, 'state'>): Turns {
  const turn: Turn = { messageId, state: 'open', openedAt, windowEndsAt };
  const before = turnOf(turns, messageId);
  if (before?.state === 'open') return turns.map((other) => (other === before ? turn : other));
  const others = before ? turns.filter((other) => other !== before) : turns;
  return forgetOldest([...others, turn]);
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

/** The open turn that one which was left open has to wait for, if any: one in front of it, or one that is under way. */
export function blockingLeftTurn(turns: Turns, left: Turn, isUnderWay: (turn: Turn) => boolean, at: number): Turn | undefined {
  const place = turns.indexOf(left);
  return blockingTurn(
    turns.filter((turn, index) => index < place || (turn !== left && isUnderWay(turn))),
    at,
  );
}

/** The turns are the caller's own copy. */
function forgetOldest(turns: Turn[]): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex(({ state }) => state !== 'open');
  if (oldest >= 0) turns.splice(oldest, 1);
  return turns;
}
