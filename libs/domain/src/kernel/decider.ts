/** The base of all events: every event carries its type and its instant (epoch milliseconds). */
export interface DomainEvent {
  readonly type: string;
  readonly at: number;
}

/**
 * The rules of one kind of stream. All three parts are pure; time travels in the command. `decide` throws `DomainError`
 * to refuse a command and returns `[]` when the command changes nothing.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
  /** Applies many events, oldest first; implemented where the state is too large to copy once per event. */
  evolveAll?(state: State, events: readonly Event[]): State;
  /** Whether the stream is unlikely to change again; its state is then dropped from the cache. */
  isOver?(state: State): boolean;
}

/**
 * The state after an event of a type that this program does not know, such as one of a later version: as it was. Each fold ends in
 * this, and does not compile while it misses a type that is known.
 */
export function unchanged<State>(state: State, _event: never): State {
  return state;
}

/** Folds events onto a state, oldest first. */
export function fold<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  from: State = decider.initial,
): State {
  if (decider.evolveAll) return decider.evolveAll(from, events);
  return events.reduce((state, event) => decider.evolve(state, event), from);
}
