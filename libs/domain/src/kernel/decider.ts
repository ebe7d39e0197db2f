export interface DomainEvent {
  readonly type: string;
  readonly at: number;
}

/** The pure rules of one kind of stream. `decide` throws `DomainError` to refuse, and returns `[]` when nothing changes. */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
  /** Applies many events, oldest first; for states too large to copy per event. */
  evolveAll?(state: State, events: readonly Event[]): State;
  /** Whether the stream is unlikely to change again: its state then leaves the cache. */
  isOver?(state: State): boolean;
}

/** Ignores an event of a type unknown to this version. Every fold ends in it, and does not compile if it misses a known type. */
export function unchanged<State>(state: State, _event: never): State {
  return state;
}

export function fold<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  from: State = decider.initial,
): State {
  if (decider.evolveAll) return decider.evolveAll(from, events);
  return events.reduce((state, event) => decider.evolve(state, event), from);
}
