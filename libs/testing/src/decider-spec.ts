import { fold, type Decider, type DomainEvent } from '@domain/kernel/decider';
import { DomainError, type ErrorCode, type ErrorDetails } from '@domain/kernel/domain-error';

/** What can be claimed about a decider after some past and some commands. */
interface Claims<State, Event> {
  /** Exactly these events, over all the commands. */
  then(...events: readonly Event[]): void;
  thenNothing(): void;
  /** The last command is refused with this code, and with these details when given; those before it are accepted. */
  thenRejects(code: ErrorCode, details?: ErrorDetails): void;
  /** The state afterwards has at least these members. */
  thenState(state: Partial<State>): void;
}

export interface Given<State, Command, Event> {
  /** Commands are taken one after another, each by the state that the one before it left. */
  when(...commands: readonly Command[]): Claims<State, Event>;
  thenState(state: Partial<State>): void;
}

/**
 * Sentences about a decider: `given(opened).when(post).then(posted)`.
 * Everything handed to the decider is frozen, so one that alters its past fails.
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
