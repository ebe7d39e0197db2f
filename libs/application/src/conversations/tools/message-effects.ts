import { emittedType } from '@domain/appointment/emission';
import { APPOINTMENT_OPERATIONS, type AppointmentAction, type AppointmentOperation } from '@domain/conversation/reply-action';
import type { KnownAppointments } from './known-appointments.js';
import type { ToolCommands } from './tool-commands.js';

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
    private readonly known: KnownAppointments,
    /** When the message was accepted, before anything was done for it. */
    private readonly since: number,
  ) {}

  /** In the order of the calls. */
  get actions(): readonly AppointmentAction[] {
    const inOrder = this.effects.toSorted((one, other) => one.call - other.call);
    return inOrder.map(({ operation, appointmentId }) => ({ type: 'appointment', operation, appointmentId }));
  }

  /** Notes what this message did to an appointment; answers with what was not noted before. */
  async note(appointmentId: string): Promise<readonly AppointmentOperation[]> {
    const news: Effect[] = [];
    for await (const { event, revision } of this.known.changesSince(appointmentId, this.since)) {
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
