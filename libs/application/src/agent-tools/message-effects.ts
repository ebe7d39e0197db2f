import { emittedType } from '@domain/appointment/emission';
import { APPOINTMENT_OPERATIONS, type AppointmentAction, type AppointmentOperation } from '@domain/conversation/reply-action';
import type { KnownAppointments } from './known-appointments.js';

/**
 * What the tool calls of one message did to the ledger, as the ledger itself tells it: an effect that an earlier asking of
 * the turn had counts, whatever that asking called it; a call that changed nothing does not.
 */
export class MessageEffects {
  readonly actions: AppointmentAction[] = [];
  private readonly noted = new Set<string>();
  private readonly prefix: string;

  constructor(
    messageId: string,
    private readonly known: KnownAppointments,
  ) {
    this.prefix = `${messageId}:tool:`;
  }

  commandId(call: number): string {
    return `${this.prefix}${call}`;
  }

  /** Whether a command is of a later call of this message, made when the turn was asked before. */
  isAfter(call: number, commandId: string): boolean {
    return this.isOurs(commandId) && Number(commandId.slice(this.prefix.length)) > call;
  }

  /** Notes what this message did to an appointment; answers with what was not noted before. */
  async note(appointmentId: string): Promise<readonly AppointmentOperation[]> {
    const news: AppointmentOperation[] = [];
    for (const { event, revision } of await this.known.history(appointmentId)) {
      const operation = APPOINTMENT_OPERATIONS.find((each) => emittedType(event) === `appointment.${each}`);
      const key = `${appointmentId}:${revision}`;
      if (!operation || !this.isOurs(event.cause.commandId) || this.noted.has(key)) continue;
      this.noted.add(key);
      news.push(operation);
    }
    this.actions.push(...news.map((operation) => ({ type: 'appointment', operation, appointmentId }) as const));
    return news;
  }

  private isOurs(commandId: string): boolean {
    return commandId.startsWith(this.prefix);
  }
}
