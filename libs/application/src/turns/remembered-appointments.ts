import type { AppointmentSummary } from '@ports/agent.port';

/** The appointments an agent is reminded of. */
export abstract class RememberedAppointments {
  /** A customer's upcoming ones soonest first, then up to five past ones newest first. Rejects where some are missing. */
  abstract of(projectId: string, customerId: string): Promise<readonly AppointmentSummary[]>;
}
