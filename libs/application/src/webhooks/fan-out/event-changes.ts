import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { eventExpired, isExpired } from '@domain/event/event-window';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { GetRow } from '../../read-models/get-row.query.js';
import { TrustedTime } from '../../runtime/log-time.js';
import { eventsProjection } from './events.projection.js';

/** The changes of appointments that emitted events. */
@Injectable()
export class EventChanges {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: EventStore,
    private readonly time: TrustedTime,
  ) {}

  /** Rejects with `resource_missing` for an event that the project's list of events does not have, and with `event_expired`. */
  async changeOf(projectId: string, eventId: string): Promise<Recorded<AppointmentEvent>> {
    const found = isId('event', eventId) ? await this.queries.execute(new GetRow(eventsProjection, projectId, eventId)) : null;
    if (!found) throw resourceMissing('event');
    if (isExpired(found.createdAt, this.time.now())) throw eventExpired();
    const { stream, revision } = found.row;
    const [record] = await this.store.read<AppointmentEvent>(stream, { from: revision, limit: 1 });
    if (!record) throw resourceMissing('event');
    return record;
  }
}
