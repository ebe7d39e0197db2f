import { Query } from '@nestjs/cqrs';
import type { DomainEvent } from '@domain/kernel/decider';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from './projection.js';

/** A row at least as new as every write answered before it, even if marked as deleted; null for unknown and foreign ids. */
export class GetRow<Row extends object> extends Query<StoredRow<Row> | null> {
  constructor(
    readonly projection: Projection<never, Row> | Projection<DomainEvent, Row>,
    readonly projectId: string,
    readonly id: string,
  ) {
    super();
  }
}
