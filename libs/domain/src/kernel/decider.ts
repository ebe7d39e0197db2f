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
}

/** Folds events onto a state, oldest first. */
export function fold<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  from: State = decider.initial,
): State {
  return events.reduce((state, event) => decider.evolve(state, event), from);
}
