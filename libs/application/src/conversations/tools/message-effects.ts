import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType } from '@domain/appointment/emission';
import { APPOINTMENT_OPERATIONS, type AppointmentAction, type AppointmentOperation } from '@domain/conversation/reply-action';
import type { Recorded } from '@ports/event-store.port';

/** The commands of one message's tool calls, named by the call's number so that a repeated call has no second effect. */
export class ToolCommands {
  private readonly prefix: string;

  constructor(messageId: string) {
    this.prefix = `${messageId}:tool:`;
  }

  idOf(call: number): string {
    return `${this.prefix}${call}`;
  }

  /** Null for a command that is not a tool call of this message. */
  callOf(commandId: string): number | null {
    return commandId.startsWith(this.prefix) ? Number(commandId.slice(this.prefix.length)) : null;
  }

  /** A test for commands of calls after this one. They exist only if a previous run of the turn made them. */
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

/** What one message's tool calls changed, read from the event store; includes changes by previous runs of the turn. */
export class MessageEffects {
  private readonly effects: Effect[] = [];
  private readonly noted = new Set<string>();

  constructor(
    private readonly commands: ToolCommands,
    private readonly changesOf: (appointmentId: string) => AsyncIterable<Recorded<AppointmentEvent>>,
  ) {}

  get actions(): readonly AppointmentAction[] {
    const inOrder = this.effects.toSorted((one, other) => one.call - other.call);
    return inOrder.map(({ operation, appointmentId }) => ({ type: 'appointment', operation, appointmentId }));
  }

  /** Notes the message's effects on an appointment; returns those not noted before. */
  async note(appointmentId: string): Promise<readonly AppointmentOperation[]> {
    const added: Effect[] = [];
    for await (const { event, revision } of this.changesOf(appointmentId)) {
      const operation = APPOINTMENT_OPERATIONS.find((each) => emittedType(event) === `appointment.${each}`);
      const call = this.commands.callOf(event.cause.commandId);
      const key = `${appointmentId}:${revision}`;
      if (!operation || call === null || this.noted.has(key)) continue;
      this.noted.add(key);
      added.unshift({ call, operation, appointmentId });
    }
    this.effects.push(...added);
    return added.map(({ operation }) => operation);
  }
}
