import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { pastChangeOf, type PastChange } from '@domain/appointment/past-change';
import type { EventStore } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import { ascendingPage } from '../paging/ascending-page.js';
import type { ListKind } from '../paging/cursor.js';
import { BeyondReach, sortIdOf, type PagedSource } from '../paging/paged-list.js';
import { recordsOf } from '../streams/stream-records.js';
import { appointmentStream } from './appointment-directory.js';

export const CHANGES: ListKind = { list: 'appointment_changes', idKind: 'appointmentChange' };

/** What happened to an appointment, oldest first. Folded from its stream in chunks, only as far as the caller iterates. */
export async function* changesOf(store: EventStore, appointmentId: string): AsyncGenerator<PastChange> {
  let appointment = UNBOOKED;
  for await (const { event, revision } of recordsOf<AppointmentEvent>(store, appointmentStream(appointmentId), 'asc')) {
    const change = pastChangeOf(appointment, event, revision);
    if (!change) continue;
    yield change;
    appointment = change.after;
  }
}

/** As it was at this instant (epoch milliseconds); null before it was booked. */
export async function appointmentAsOf(store: EventStore, appointmentId: string, at: number): Promise<Appointment | null> {
  let appointment: Appointment | null = null;
  for await (const change of changesOf(store, appointmentId)) {
    if (change.at > at) break;
    appointment = change.after;
  }
  return appointment;
}

/** The same as a paged list: each page is folded from the first change on. */
export function changeList(store: EventStore, log: string, appointmentId: string): PagedSource<PastChange> {
  return {
    ...CHANGES,
    log: `${log}/${appointmentId}`,
    keyOf,
    find: async (id) => {
      for await (const change of changesOf(store, appointmentId)) if (change.id === id) return keyOf(change);
      return null;
    },
    fetch: (order, after, limit, reach = Infinity) => {
      const all = within(reach, changesOf(store, appointmentId));
      return ascendingPage(all, { keyOf, order, after, limit });
    },
  };
}

async function* within(reach: number, changes: AsyncIterable<PastChange>): AsyncGenerator<PastChange> {
  let looked = 0;
  for await (const change of changes) {
    if (++looked > reach) throw new BeyondReach();
    yield change;
  }
}

function keyOf({ at, after }: PastChange): SortKey {
  return { createdAt: at, sortId: sortIdOf(after.version) };
}
