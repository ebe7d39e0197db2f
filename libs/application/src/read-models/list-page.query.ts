import { Query } from '@nestjs/cqrs';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Filter, StoredRow } from '@ports/read-models.port';
import type { Page, PageRequest } from '../paging/page.js';
import type { Projection } from './projection.js';

/** At least as new as every write answered before it. */
export class ListPage<Row extends object> extends Query<Page<StoredRow<Row>>> {
  constructor(
    // Any event type.
    readonly projection: Projection<never, Row> | Projection<DomainEvent, Row>,
    readonly projectId: string,
    readonly filter: Filter,
    readonly page: PageRequest,
  ) {
    super();
  }
}
