import type { AppointmentSummary } from '@ports/agent.port';

/** How long a memory waits for rows to hold what was said and booked last: well within what a turn waits for the memory. */
export const MEMORY_CATCHES_UP_WITHIN_MS = 250;

/** The appointments an agent is reminded of. */
export abstract class RememberedAppointments {
  /** A customer's upcoming ones soonest first, then up to five past ones newest first. Rejects where some are missing. */
  abstract of(projectId: string, customerId: string): Promise<readonly AppointmentSummary[]>;
}
