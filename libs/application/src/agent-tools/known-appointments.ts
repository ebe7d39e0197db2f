import { Injectable } from '@nestjs/common';
import { isLive, type Appointment } from '@domain/appointment/appointment';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { fold } from '@domain/kernel/decider';
import type { AppointmentSummary } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { MEMORY_BOUNDS } from '@ports/memory-bounds';
import { ReadModels, type Condition, type SortKey, type StoredRow } from '@ports/read-models.port';
import { appointmentStream } from '../appointments/appointment-directory.js';
import { appointmentsProjection, toAppointment, type AppointmentRow } from '../appointments/appointments.projection.js';
import { FreshRows } from '../projections/fresh-rows.js';
import { MEMORY_CATCHES_UP_WITHIN_MS } from '../turns/memory-times.js';
import { RememberedAppointments } from '../turns/remembered-appointments.js';
import type { ToolContext } from '../turns/toolboxes.js';

const PAGE = 100;
const MOST_READ_AHEAD = 1_000;
const MOST_TOLD = 100;

type Whose = Pick<ToolContext, 'customerId' | 'conversationId'>;

/** Whether an agent may know of an appointment: its customer's, or with nobody known one booked in the conversation for nobody. */
export function isTheirs(
  appointment: Pick<Appointment, 'customerId' | 'conversationId'>,
  { customerId, conversationId }: Whose,
): boolean {
  return appointment.customerId === customerId && (customerId !== null || appointment.conversationId === conversationId);
}

/** The appointments that an agent may know of. */
@Injectable()
export class KnownAppointments extends RememberedAppointments {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async of(projectId: string, customerId: string): Promise<readonly AppointmentSummary[]> {
    await this.fresh.whole(appointmentsProjection.schema.name, MEMORY_CATCHES_UP_WITHIN_MS);
    const known = await this.rows(projectId, { field: 'customerId', op: 'eq', value: customerId });
    return this.inOrder(known.filter(isLive), known);
  }

  /**
   * What `find_appointments` answers with: cancelled and failed ones of the future too, so that they can be named.
   * What `isToCome` knows of is left out: a turn that is asked again sees the ledger as it was the first time, and so
   * decides as it did. Rejects with `service_unavailable` where some are missing that were there before.
   */
  async within(
    context: Pick<ToolContext, 'projectId'> & Whose,
    isToCome: (commandId: string) => boolean,
  ): Promise<readonly AppointmentSummary[]> {
    await this.fresh.whole(appointmentsProjection.schema.name);
    const { projectId, customerId, conversationId } = context;
    const whose =
      customerId === null ? { field: 'conversationId', value: conversationId } : { field: 'customerId', value: customerId };
    const now = await this.rows(projectId, { ...whose, op: 'eq' });
    const theirs = now.filter((appointment) => isTheirs(appointment, context));
    const then = await Promise.all(theirs.map((appointment) => this.before(appointment, isToCome)));
    const known = then.filter(({ status }) => status !== 'unbooked');
    return this.inOrder(known, known, MOST_TOLD);
  }

  /** Everything that happened to an appointment, oldest first. */
  history(appointmentId: string): Promise<readonly Recorded<AppointmentEvent>[]> {
    return this.store.read<AppointmentEvent>(appointmentStream(appointmentId));
  }

  private async before(appointment: Appointment, isToCome: (commandId: string) => boolean): Promise<Appointment> {
    if (!appointment.commandIds.some(isToCome)) return appointment;
    const past = (await this.history(appointment.id)).map(({ event }) => event).filter(({ cause }) => !isToCome(cause.commandId));
    return fold(appointmentDecider, past);
  }

  /** Upcoming ones soonest first, then the last five past ones newest first. */
  private inOrder(
    upcoming: readonly Appointment[],
    past: readonly Appointment[],
    most = Infinity,
  ): readonly AppointmentSummary[] {
    const now = this.clock.now();
    const next = upcoming.filter(({ startsAt }) => startsAt > now).toSorted((one, other) => one.startsAt - other.startsAt);
    const last = past.filter(({ startsAt }) => startsAt <= now).toSorted((one, other) => other.startsAt - one.startsAt);
    return [...next.slice(0, most), ...last.slice(0, MEMORY_BOUNDS.pastAppointments)].map(toSummary);
  }

  /** Those booked last and, however early they were booked, those to come. */
  private async rows(projectId: string, whose: Condition): Promise<readonly Appointment[]> {
    const newest = await this.page(projectId, [whose]);
    const ahead = newest.length < PAGE ? [] : await this.ahead(projectId, whose);
    const rows = new Map([...newest, ...ahead].map((row) => [row.id, row]));
    return [...rows.values()].map((row) => toAppointment(row));
  }

  private async ahead(projectId: string, whose: Condition): Promise<readonly StoredRow<AppointmentRow>[]> {
    const conditions = [whose, { field: 'startsAt', op: 'gt', value: this.clock.now() }] as const;
    const rows: StoredRow<AppointmentRow>[] = [];
    do {
      const page = await this.page(projectId, conditions, rows.at(-1));
      rows.push(...page);
      if (page.length < PAGE) break;
    } while (rows.length < MOST_READ_AHEAD);
    return rows;
  }

  private async page(projectId: string, conditions: readonly Condition[], after?: SortKey) {
    const query = { projectId, filter: [conditions], order: 'desc', limit: PAGE, ...(after && { after }) } as const;
    return (await this.readModels.page(appointmentsProjection.schema.name, query)) as readonly StoredRow<AppointmentRow>[];
  }
}

function toSummary({ id, service, startsAt, endsAt, timeZone, status }: Appointment): AppointmentSummary {
  return { id, service, startsAt, endsAt, timeZone, status };
}
