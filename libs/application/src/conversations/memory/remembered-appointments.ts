import type { AppointmentSummary } from '@ports/agent.port';

/** How long a memory waits for rows to be up to date: well within the half second that a turn waits for the memory. */
export const MEMORY_CATCHES_UP_WITHIN_MS = 250;

/** The appointments an agent is reminded of. */
export abstract class RememberedAppointments {
  /**
   * A customer's upcoming ones soonest first, then up to five past ones newest first, as they were before an earlier run of
   * this message's turn changed them. Rejects where some cannot be read, and when the signal aborts.
   */
  abstract appointmentsOf(
    projectId: string,
    customerId: string,
    messageId: string,
    leaving?: AbortSignal,
  ): Promise<readonly AppointmentSummary[]>;
}
