import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { matches } from '@domain/endpoint/event-filter';
import { expiredUpTo } from '@domain/event/event-window';
import { ListPage } from '../../read-models/list-page.query.js';
import { TrustedTime } from '../../runtime/log-time.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { eventsProjection } from '../fan-out/events.projection.js';
import { TryFilters, type TriedEvent } from './explain.queries.js';

const LAST_EVENTS = { limit: 100, order: 'desc', startingAfter: null, endingBefore: null } as const;

@QueryHandler(TryFilters)
export class TryFiltersHandler implements IQueryHandler<TryFilters> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly queries: QueryBus,
    private readonly time: TrustedTime,
  ) {}

  async execute({ projectId, endpointId, filters }: TryFilters): Promise<readonly TriedEvent[]> {
    const endpoint = await this.directory.load(projectId, endpointId);
    const inWindow = { field: 'createdAt', op: 'gt', value: expiredUpTo(this.time.now()) } as const;
    const { items } = await this.queries.execute(new ListPage(eventsProjection, projectId, [[inWindow]], LAST_EVENTS));
    return items.map(({ id, row: { type } }) => ({
      id,
      type,
      matches: matches(filters, type),
      matchesNow: matches(endpoint.filters, type),
    }));
  }
}
