import { Injectable } from '@nestjs/common';
import { isLive, naturalKey, type Appointment } from '@domain/appointment/appointment';
import { DomainError } from '@domain/kernel/domain-error';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import type { AppointmentSummary } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore, isRetryableStoreError, type Recorded } from '@ports/event-store.port';
import { MEMORY_BOUNDS } from '@ports/memory-bounds';
import { ReadModels, type Condition, type Filter, type SortKey, type StoredRow } from '@ports/read-models.port';
import { appointmentStream } from '../../appointments/appointment-directory.js';
import { appointmentsProjection, toAppointment, type AppointmentRow } from '../../appointments/appointments.projection.js';
import { KeyedQueue } from '@kit/keyed-queue';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { SharedReads, type LongRead } from './shared-reads.js';
import { recordsOf, recordsSince } from '../../streams/stream-records.js';
import { MEMORY_CATCHES_UP_WITHIN_MS, RememberedAppointments } from '../memory/remembered-appointments.js';
import { ToolCommands } from './message-effects.js';
import type { ToolContext } from './toolboxes.js';

const PAGE = 100;
/** Larger than `PAGE`, because each page scans all upcoming appointments. */
const PAGE_AHEAD = 250;
const MAX_READ_AHEAD = 1_000;
const MAX_LISTED = 100;

export interface KnownAppointment extends AppointmentSummary {
  readonly version: number;
}

type Whose = Pick<ToolContext, 'customerId' | 'conversationId'>;
type Known = Pick<ToolContext, 'projectId'> & Whose;
type Rows = readonly StoredRow<AppointmentRow>[];

/** An agent may know its customer's appointments, and those booked in the conversation while no customer was known. */
export function isTheirs(
  appointment: Pick<Appointment, 'customerId' | 'conversationId'>,
  { customerId, conversationId }: Whose,
): boolean {
  if (appointment.customerId === null) return appointment.conversationId === conversationId;
  return appointment.customerId === customerId;
}

@Injectable()
export class KnownAppointments extends RememberedAppointments {
  /** One read of a project at a time: 1,000 upcoming appointments take about 0.1 s and tens of megabytes. */
  private readonly reading = new KeyedQueue();
  /** Apart from `forTools`, so that a tool call waits for at most one read for a customer's memory. */
  private readonly forMemories = new SharedReads<readonly Appointment[]>();
  private readonly forTools = new SharedReads<readonly Appointment[]>();

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async appointmentsOf(
    projectId: string,
    customerId: string,
    messageId: string,
    leaving?: AbortSignal,
  ): Promise<readonly AppointmentSummary[]> {
    const commands = new ToolCommands(messageId);
    const theirs = this.readOf(projectId, { customerId });
    const told = async (appointments: readonly Appointment[]) => {
      const known = await this.allAsBefore(appointments, (commandId) => commands.callOf(commandId) !== null);
      return this.inOrder(known.filter(isLive), known);
    };
    const read = () => this.forMemories.run(theirs, told, leaving);
    return this.fresh.whole(appointmentsProjection, read, MEMORY_CATCHES_UP_WITHIN_MS);
  }

  /**
   * Includes cancelled and failed upcoming appointments, so that the agent can refer to them. Leaves out effects of later calls
   * (`isLater`), so that a retried turn decides as it did at first. Rejects with `service_unavailable` while the read model is
   * unavailable.
   */
  async within(context: Known, isLater: (commandId: string) => boolean): Promise<readonly KnownAppointment[]> {
    return this.ofTheirs(context, async (theirs) => {
      const known = await this.allAsBefore(theirs, isLater);
      return this.inOrder(known, known, MAX_LISTED);
    });
  }

  /** Ids of appointments changed by these commands; an appointment keeps only its last few command ids. Rejects like `within`. */
  async changedBy(context: Known, isOurs: (commandId: string) => boolean): Promise<readonly string[]> {
    return this.ofTheirs(context, async (theirs) =>
      theirs.filter(({ commandIds }) => commandIds.some(isOurs)).map(({ id }) => id),
    );
  }

  /** The holder of this natural key, ignoring effects of later calls. Rejects like `within`. */
  async holderBefore(context: Known, key: string, isLater: (commandId: string) => boolean): Promise<Appointment | null> {
    return this.ofTheirs(context, async (theirs) => {
      const then = await this.allAsBefore(theirs, isLater);
      return then.find((each) => isLive(each) && naturalKey(each) === key) ?? null;
    });
  }

  /** The appointment's changes since `since`, newest first; may include a few earlier ones. */
  changesSince(appointmentId: string, since: number): AsyncIterable<Recorded<AppointmentEvent>> {
    return recordsSince(this.store, appointmentStream(appointmentId), since);
  }

  /** The appointment without effects of later calls; `unbooked` if one of them booked it. */
  async asBefore(appointment: Appointment, isLater: (commandId: string) => boolean): Promise<Appointment> {
    if (!appointment.commandIds.some(isLater)) return appointment;
    let then = appointmentDecider.initial;
    for await (const { event } of recordsOf<AppointmentEvent>(this.store, appointmentStream(appointment.id), 'asc')) {
      if (!isLater(event.cause.commandId)) then = appointmentDecider.evolve(then, event);
    }
    // A later call booked it: without that event, the changes by others leave no appointment.
    return then.id === '' ? appointmentDecider.initial : then;
  }

  private async allAsBefore(
    appointments: readonly Appointment[],
    isLater: (commandId: string) => boolean,
  ): Promise<readonly Appointment[]> {
    const then = await Promise.all(appointments.map((appointment) => this.asBefore(appointment, isLater)));
    return then.filter(({ status }) => status !== 'unbooked');
  }

  private async ofTheirs<Found>(context: Known, find: (theirs: readonly Appointment[]) => Promise<Found>): Promise<Found> {
    const { projectId, customerId, conversationId } = context;
    const read = this.readOf(projectId, { ...(customerId !== null && { customerId }), conversationId });
    const ofTheirs = (found: readonly Appointment[]) => find(found.filter((appointment) => isTheirs(appointment, context)));
    return this.ofWholeRows(() => this.forTools.run(read, ofTheirs));
  }

  /** If only the read model is down, throws `service_unavailable` without retrying. If the event store is too, throws its error. */
  private async ofWholeRows<Found>(read: () => Promise<Found>): Promise<Found> {
    try {
      return await this.fresh.whole(appointmentsProjection, read);
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
      await this.store.head(appointmentsProjection.categories);
      throw new DomainError('service_unavailable', 'Appointments cannot be looked up now.');
    }
  }

  private readOf(projectId: string, whose: Readonly<Record<string, string>>): LongRead<readonly Appointment[]> {
    const fields = Object.entries(whose);
    const conditions = fields.map(([field, value]) => ({ field, op: 'eq', value }) as const);
    const load = (unwanted: AbortSignal) => this.reading.run(projectId, () => this.rows(projectId, conditions, unwanted));
    return { queue: projectId, name: fields.join(' '), load };
  }

  /** Upcoming ones soonest first, then the last past ones newest first. */
  private inOrder(upcoming: readonly Appointment[], past: readonly Appointment[], most = Infinity): readonly KnownAppointment[] {
    const now = this.clock.now();
    const next = upcoming.filter(({ startsAt }) => startsAt > now).toSorted((one, other) => one.startsAt - other.startsAt);
    const last = past.filter(({ startsAt }) => startsAt <= now).toSorted((one, other) => other.startsAt - one.startsAt);
    return [...next.slice(0, most), ...last.slice(0, MEMORY_BOUNDS.pastAppointments)].map(toSummary);
  }

  /** The most recently booked ones, and up to `MAX_READ_AHEAD` upcoming ones whenever they were booked. */
  private async rows(projectId: string, whose: readonly Condition[], unwanted: AbortSignal): Promise<readonly Appointment[]> {
    const page = (conditions: readonly Condition[], limit: number, after?: SortKey) => {
      unwanted.throwIfAborted();
      const filter = whose.map((condition) => [condition, ...conditions]);
      return this.page(projectId, filter, limit, after);
    };
    const newest = await page([], PAGE);
    const toCome = { field: 'startsAt', op: 'gt', value: this.clock.now() } as const;
    const ahead = newest.length < PAGE ? [] : await this.ahead((after) => page([toCome], PAGE_AHEAD, after));
    const rows = new Map([...newest, ...ahead].map((row) => [row.id, row]));
    return [...rows.values()].map((row) => toAppointment(row));
  }

  private async ahead(pageAfter: (last: SortKey | undefined) => Promise<Rows>): Promise<Rows> {
    const rows: StoredRow<AppointmentRow>[] = [];
    do {
      const page = await pageAfter(rows.at(-1));
      rows.push(...page);
      if (page.length < PAGE_AHEAD) break;
    } while (rows.length < MAX_READ_AHEAD);
    return rows;
  }

  private async page(projectId: string, filter: Filter, limit: number, after?: SortKey): Promise<Rows> {
    const query = { projectId, filter, order: 'desc', limit, ...(after && { after }) } as const;
    return (await this.readModels.page(appointmentsProjection.schema.name, query)) as Rows;
  }
}

function toSummary({ id, service, startsAt, endsAt, timeZone, status, version }: Appointment): KnownAppointment {
  return { id, service, startsAt, endsAt, timeZone, status, version };
}
