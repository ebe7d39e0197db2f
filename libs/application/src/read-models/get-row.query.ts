import { Query } from '@nestjs/cqrs';
import type { DomainEvent } from '@domain/kernel/decider';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from './projection.js';

/**
 * One row of a read model, at least as new as every write answered before it. Marked rows are answered too;
 * null for an id that is unknown or another project's.
 */
export class GetRow<Row extends object> extends Query<StoredRow<Row> | null> {
  constructor(
    readonly projection: Projection<never, Row> | Projection<DomainEvent, Row>,
    readonly projectId: string,
    readonly id: string,
  ) {
    super();
  }
}
