import { fold, type Decider, type DomainEvent } from '@domain/kernel/decider';
import { DomainError, type ErrorCode, type ErrorDetails } from '@domain/kernel/domain-error';

/** The assertions about a decider after past events and commands. */
interface Claims<State, Event> {
  /** Expects exactly these events from all the commands together. */
  then(...events: readonly Event[]): void;
  thenNothing(): void;
  /** Expects the last command to be refused with this code (and these details), and the commands before it to be accepted. */
  thenRejects(code: ErrorCode, details?: ErrorDetails): void;
  /** Expects the resulting state to have at least these members. */
  thenState(state: Partial<State>): void;
}

export interface Given<State, Command, Event> {
  /** Runs the commands in order, each on the state that its predecessor left. */
  when(...commands: readonly Command[]): Claims<State, Event>;
  thenState(state: Partial<State>): void;
}

/**
 * Given/when/then for a decider: `given(opened).when(post).then(posted)`.
 * Every value passed to the decider is frozen, so a decider that mutates its input fails.
 */
export function specFor<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>) {
  const after = (past: readonly Event[], commands: readonly Command[]) => {
    const fresh: Event[] = [];
    let state = frozen(fold(decider, frozen(past), frozen(decider.initial)));
    for (const command of commands) {
      const events = frozen(decider.decide(frozen(command), state));
      fresh.push(...events);
      state = frozen(fold(decider, events, state));
    }
    return { fresh, state };
  };
  const given = (...past: readonly Event[]): Given<State, Command, Event> => ({
    when: (...commands) => ({
      then: (...events) => expect(after(past, commands).fresh).toEqual(events),
      thenNothing: () => expect(after(past, commands).fresh).toEqual([]),
      thenState: (state) => expect(after(past, commands).state).toMatchObject(state as object),
      thenRejects: (code, details) => {
        const { state } = after(past, commands.slice(0, -1));
        const refusal = refusalOf(() => commands.slice(-1).map((command) => decider.decide(frozen(command), state)));
        expect(refusal).toMatchObject(details === undefined ? { code } : { code, details });
      },
    }),
    thenState: (state) => expect(after(past, []).state).toMatchObject(state as object),
  });
  return { given };
}

function refusalOf(decide: () => readonly unknown[]): DomainError {
  try {
    const [events] = decide();
    throw new Error(`Nothing was refused; decided: ${JSON.stringify(events)}`);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return ArrayBuffer.isView(value) ? value : Object.freeze(value);
}
