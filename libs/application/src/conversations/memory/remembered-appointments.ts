import type { AppointmentSummary } from '@ports/agent.port';

/** How long a memory waits for fresh rows: well within the half second that a turn waits for the memory. */
export const MEMORY_CATCHES_UP_WITHIN_MS = 250;

export abstract class RememberedAppointments {
  /** As they were before an earlier run of the message's turn changed them. Rejects where some cannot be read, and on abort. */
  abstract appointmentsOf(
    projectId: string,
    customerId: string,
    messageId: string,
    leaving?: AbortSignal,
  ): Promise<readonly AppointmentSummary[]>;
}
