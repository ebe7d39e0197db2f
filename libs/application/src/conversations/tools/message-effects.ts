import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType } from '@domain/appointment/emission';
import { APPOINTMENT_OPERATIONS, type AppointmentAction, type AppointmentOperation } from '@domain/conversation/reply-action';
import type { Recorded } from '@ports/event-store.port';

/** The commands that the tool calls of one message make: named by the call's number, so that asking again repeats none. */
export class ToolCommands {
  private readonly prefix: string;

  constructor(messageId: string) {
    this.prefix = `${messageId}:tool:`;
  }

  idOf(call: number): string {
    return `${this.prefix}${call}`;
  }

  /** The number of the call that made a command; null for a command of anybody else. */
  callOf(commandId: string): number | null {
    return commandId.startsWith(this.prefix) ? Number(commandId.slice(this.prefix.length)) : null;
  }

  /** Tells whether a command is of a later call than this one, made when the turn was asked before. */
  after(call: { readonly commandId: string }): (commandId: string) => boolean {
    const number = this.callOf(call.commandId) ?? 0;
    return (commandId) => (this.callOf(commandId) ?? 0) > number;
  }
}

interface Effect {
  readonly call: number;
  readonly operation: AppointmentOperation;
  readonly appointmentId: string;
}

/**
 * What the tool calls of one message did to the ledger, as the ledger itself tells it: an effect that an earlier asking of
 * the turn had counts, whatever that asking called it; a call that changed nothing does not.
 */
export class MessageEffects {
  private readonly effects: Effect[] = [];
  private readonly noted = new Set<string>();

  constructor(
    private readonly commands: ToolCommands,
    /** What happened to an appointment since the message was accepted, newest first. */
    private readonly changesOf: (appointmentId: string) => AsyncIterable<Recorded<AppointmentEvent>>,
  ) {}

  /** In the order of the calls. */
  get actions(): readonly AppointmentAction[] {
    const inOrder = this.effects.toSorted((one, other) => one.call - other.call);
    return inOrder.map(({ operation, appointmentId }) => ({ type: 'appointment', operation, appointmentId }));
  }

  /** Notes what this message did to an appointment; answers with what was not noted before. */
  async note(appointmentId: string): Promise<readonly AppointmentOperation[]> {
    const news: Effect[] = [];
    for await (const { event, revision } of this.changesOf(appointmentId)) {
      const operation = APPOINTMENT_OPERATIONS.find((each) => emittedType(event) === `appointment.${each}`);
      const call = this.commands.callOf(event.cause.commandId);
      const key = `${appointmentId}:${revision}`;
      if (!operation || call === null || this.noted.has(key)) continue;
      this.noted.add(key);
      news.unshift({ call, operation, appointmentId });
    }
    this.effects.push(...news);
    return news.map(({ operation }) => operation);
  }
}
