import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { kindsOf } from '@domain/endpoint/event-filter';
import { eventExpired, expiredUpTo, isExpired } from '@domain/event/event-window';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import type { Condition, StoredRow } from '@ports/read-models.port';
import type { Page } from '../../paging/page.js';
import { GetRow } from '../../read-models/get-row.query.js';
import { ListPage } from '../../read-models/list-page.query.js';
import { TrustedTime } from '../../runtime/log-time.js';
import { EmittedEvents } from './emitted-events.js';
import { GetEvent, ListEvents, type EventView } from './event.queries.js';
import { eventsProjection, type EventRow } from './events.projection.js';

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(
    private readonly queries: QueryBus,
    private readonly emitted: EmittedEvents,
    private readonly time: TrustedTime,
  ) {}

  async execute({ projectId, types, conditions, page }: ListEvents): Promise<Page<EventView>> {
    const inWindow: Condition = { field: 'createdAt', op: 'gt', value: expiredUpTo(this.time.now()) };
    const all = [inWindow, ...conditions];
    const filter = types.length === 0 ? [all] : types.map((type) => [...all, ...ofType(type)]);
    const { items, ...rest } = await this.queries.execute(new ListPage(eventsProjection, projectId, filter, page));
    return { ...rest, items: await Promise.all(items.map((row) => viewOf(row, this.emitted))) };
  }
}

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(
    private readonly queries: QueryBus,
    private readonly emitted: EmittedEvents,
    private readonly time: TrustedTime,
  ) {}

  async execute({ projectId, eventId }: GetEvent): Promise<EventView> {
    const row = isId('event', eventId) ? await this.queries.execute(new GetRow(eventsProjection, projectId, eventId)) : null;
    if (!row) throw resourceMissing('event');
    if (isExpired(row.createdAt, this.time.now())) throw eventExpired();
    return viewOf(row, this.emitted);
  }
}

function ofType(type: string): readonly Condition[] {
  const { op, value } = kindsOf(type);
  return value === '' ? [] : [{ field: 'type', op, value }];
}

/** A body that is not frozen yet is derived from the appointment's stream: freezing stores the same bytes. */
async function viewOf({ id, row, text }: StoredRow<EventRow>, emitted: EmittedEvents): Promise<EventView> {
  const { total, succeeded, pending, failed, cancelled } = row;
  const body = text ?? (await emitted.eventIn(row.stream, row.revision))?.body;
  if (body === undefined) throw resourceMissing('event');
  return { id, body, summary: { total, succeeded, pending, failed, cancelled } };
}
