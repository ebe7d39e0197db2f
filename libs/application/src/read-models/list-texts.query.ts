import { Query } from '@nestjs/cqrs';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Condition, Filter, ListedRow } from '@ports/read-models.port';
import type { Page, PageRequest } from '../paging/page.js';
import type { Projection } from './projection.js';

export interface ListOptions {
  readonly includeDeleted?: boolean;
  /** Rows whose stored text is outdated are returned as rows. */
  readonly outdated?: Condition;
}

/** A page of texts that are joined into an answer, at least as new as every write answered before it. */
export class ListTexts<Row extends object> extends Query<Page<ListedRow<Row>>> {
  constructor(
    readonly projection: Projection<never, Row> | Projection<DomainEvent, Row>,
    readonly projectId: string,
    readonly filter: Filter,
    readonly page: PageRequest,
    readonly options: ListOptions = {},
  ) {
    super();
  }
}
