import type { AppointmentSummary } from '@ports/agent.port';

/** The appointments an agent is reminded of. */
export abstract class RememberedAppointments {
  /**
   * A customer's upcoming ones soonest first, then up to five past ones newest first, without what an earlier asking of
   * this message's turn did to them. Rejects where some are missing, and when the signal aborts: who asks has left.
   */
  abstract appointmentsOf(
    projectId: string,
    customerId: string,
    messageId: string,
    leaving?: AbortSignal,
  ): Promise<readonly AppointmentSummary[]>;
}
