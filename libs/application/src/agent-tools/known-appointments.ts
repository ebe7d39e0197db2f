import { Injectable } from '@nestjs/common';
import { isLive, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentSummary } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { ReadModels, type Condition, type StoredRow } from '@ports/read-models.port';
import { appointmentsProjection, toAppointment, type AppointmentRow } from '../appointments/appointments.projection.js';
import { FreshRows } from '../projections/fresh-rows.js';
import { RememberedAppointments } from '../turns/customer-memory.js';

const MOST = 100;
const PAST = 5;

/** The appointments that an agent may know of: a customer's, or of nobody known those booked in the conversation. */
@Injectable()
export class KnownAppointments extends RememberedAppointments {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async of(projectId: string, customerId: string): Promise<readonly AppointmentSummary[]> {
    const known = await this.rows(projectId, { field: 'customerId', op: 'eq', value: customerId });
    return this.inOrder(known.filter(isLive), known);
  }

  /** What `find_appointments` answers with: cancelled and failed ones of the future too, so that they can be named. */
  async within(projectId: string, customerId: string | null, conversationId: string): Promise<readonly AppointmentSummary[]> {
    await this.fresh.caughtUp(appointmentsProjection.schema.name);
    const whose =
      customerId === null ? { field: 'conversationId', value: conversationId } : { field: 'customerId', value: customerId };
    const known = await this.rows(projectId, { ...whose, op: 'eq' });
    return this.inOrder(known, known);
  }

  /** Upcoming ones soonest first, then the last five past ones newest first. */
  private inOrder(upcoming: readonly Appointment[], past: readonly Appointment[]): readonly AppointmentSummary[] {
    const now = this.clock.now();
    const next = upcoming.filter(({ startsAt }) => startsAt > now).toSorted((one, other) => one.startsAt - other.startsAt);
    const last = past.filter(({ startsAt }) => startsAt <= now).toSorted((one, other) => other.startsAt - one.startsAt);
    return [...next, ...last.slice(0, PAST)].map(toSummary);
  }

  private async rows(projectId: string, condition: Condition): Promise<readonly Appointment[]> {
    const query = { projectId, filter: [[condition]], order: 'desc', limit: MOST } as const;
    const rows = await this.readModels.page(appointmentsProjection.schema.name, query);
    return rows.map((stored) => toAppointment(stored as StoredRow<AppointmentRow>));
  }
}

function toSummary({ id, service, startsAt, endsAt, timeZone, status }: Appointment): AppointmentSummary {
  return { id, service, startsAt, endsAt, timeZone, status };
}
