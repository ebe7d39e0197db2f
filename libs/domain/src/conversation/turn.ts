/** The state of one posted message. */
export interface Turn {
  readonly messageId: string;
  readonly state: 'open' | 'replied' | 'failed';
  /** When the message was posted, or its turn reopened. */
  readonly openedAt: number;
  readonly windowEndsAt: number;
}

/** Beyond this many turns the oldest closed one is forgotten; its message is looked up in the stream. */
const REMEMBERED = 8;

export type Turns = readonly Turn[];

/** Adds this turn as open: an already open turn keeps its position, any other becomes the newest. */
export function opened(turns: Turns, { messageId, openedAt, windowEndsAt }: Omit<Turn, 'state'>): Turns {
  const turn: Turn = { messageId, state: 'open', openedAt, windowEndsAt };
  const before = turnOf(turns, messageId);
  if (before?.state === 'open') return turns.map((other) => (other === before ? turn : other));
  const others = before ? turns.filter((other) => other !== before) : turns;
  return forgetOldest([...others, turn]);
}

/** Closes the turn; returns the turns unchanged when they no longer hold it. */
export function closed(turns: Turns, messageId: string, state: 'replied' | 'failed'): Turns {
  const index = turns.findIndex((turn) => turn.messageId === messageId);
  const turn = turns[index];
  return turn ? turns.with(index, { ...turn, state }) : turns;
}

/** Returns undefined for a forgotten turn too; the stream still holds it. */
export function turnOf(turns: Turns, messageId: string): Turn | undefined {
  return turns.find((turn) => turn.messageId === messageId);
}

export function openTurns(turns: Turns): Turns {
  return turns.filter(({ state }) => state === 'open');
}

/** The open turn that blocks the next message, if any. */
export function blockingTurn(turns: Turns, at: number): Turn | undefined {
  return turns.find((turn) => turn.state === 'open' && turn.windowEndsAt > at);
}

/** The open turn that blocks reopening a turn left open, if any: an earlier one, or one that is running. */
export function blockingLeftTurn(turns: Turns, left: Turn, isUnderWay: (turn: Turn) => boolean, at: number): Turn | undefined {
  const place = turns.indexOf(left);
  return blockingTurn(
    turns.filter((turn, index) => index < place || (turn !== left && isUnderWay(turn))),
    at,
  );
}

/** Mutates its argument, which is the caller's own copy. */
function forgetOldest(turns: Turn[]): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex(({ state }) => state !== 'open');
  if (oldest >= 0) turns.splice(oldest, 1);
  return turns;
}
