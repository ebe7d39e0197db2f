/** What a decider works on: every event carries its type and the instant it happened (epoch milliseconds). */
export interface DomainEvent {
  readonly type: string;
  readonly at: number;
}

/**
 * The rules of one kind of stream. All three parts are pure; time travels in the command.
 * `decide` throws `DomainError` when it refuses and answers `[]` when there is nothing left to do.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
  /** The same for many events, oldest first, where a state is so large that a copy for each of them would take long. */
  evolveAll?(state: State, events: readonly Event[]): State;
  /** Whether hardly anything will follow: such a state is not worth its place in memory. */
  isOver?(state: State): boolean;
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
