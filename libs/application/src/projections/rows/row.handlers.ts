import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import type { SortKey, StoredRow } from '@ports/read-models.port';
import { ascendingPage } from '../../paging/ascending-page.js';
import type { Page } from '../../paging/page.js';
import { PagedLists, type Order } from '../../paging/paged-list.js';
import type { Projection } from '../../read-models/projection.js';
import { mergedEvents } from './merged-events.js';
import { ProjectionRows } from './projection-rows.js';
import { RowHistory } from './row-history.js';
import { GetProjectionRow, ListRowChanges, type ProjectionRow, type RowChange } from './row.queries.js';
import { StaleRows } from './stale-rows.js';

/** More are not few. */
const MAX_STREAMS = 100;
const LIST = { list: 'row-changes', idKind: 'position' } as const;

@QueryHandler(GetProjectionRow)
export class GetProjectionRowHandler implements IQueryHandler<GetProjectionRow> {
  constructor(
    private readonly rows: ProjectionRows,
    private readonly stale: StaleRows,
  ) {}

  async execute({ projection, id }: GetProjectionRow): Promise<ProjectionRow> {
    const { stored } = await this.rows.find(projection, id);
    return { stored, isStale: await this.stale.has(projection, id) };
  }
}

@QueryHandler(ListRowChanges)
export class ListRowChangesHandler implements IQueryHandler<ListRowChanges> {
  constructor(
    private readonly rows: ProjectionRows,
    private readonly store: EventStore,
    private readonly lists: PagedLists,
  ) {}

  async execute({ projection: name, id, page }: ListRowChanges): Promise<Page<RowChange>> {
    this.lists.judge(LIST, page);
    const { projection, stored } = await this.rows.find(name, id);
    const streams = projection.streamsOf?.(stored.row, id) ?? [];
    if (streams.length === 0 || streams.length > MAX_STREAMS) throw historyUnavailable('Such rows are made of many streams.');
    const source = {
      ...LIST,
      log: await this.store.identity(),
      keyOf: placeOf,
      find: (position: string) => Promise.resolve(keyOf(position)),
      fetch: (order: Order, after: SortKey | undefined, limit: number) =>
        ascendingPage(this.changes(projection, stored, streams), { keyOf: placeOf, order, after, limit, toTheEnd: true }),
    };
    return this.lists.page(source, page);
  }

  /** What made the row as it is stored. Later events are not shown yet. Rejects with `history_unavailable` where they make another row. */
  private async *changes(projection: Projection, stored: StoredRow, streams: readonly string[]) {
    const { id, position } = stored;
    const history = new RowHistory(projection, id);
    for await (const record of mergedEvents(this.store, streams)) {
      if (record.position > position) break;
      const change = await history.take(record);
      if (change) yield change;
    }
    if (!history.leadsTo(stored)) throw historyUnavailable('Some events of this row were dropped when their time was over.');
  }
}

function placeOf({ record }: RowChange): SortKey {
  return keyOf(record.position);
}

/** Changes are in the order of the log, whatever the clocks said. */
function keyOf(position: string): SortKey {
  return { createdAt: 0, sortId: position };
}

function historyUnavailable(message: string): DomainError {
  return new DomainError('history_unavailable', message);
}
