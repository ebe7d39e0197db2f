import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { FlushRequests } from './flush-requests.js';
import type { Projection } from './projection.js';

const CATCH_UP_MS = 2_000;
/** Short enough for a quick rebuild, long enough for one that takes minutes. */
const RETRY_AFTER_SECONDS = 5;

type RowsOf = Pick<Projection, 'schema' | 'categories'>;

/** Reads rows that are at least as new as every write answered before. */
@Injectable()
export class FreshRows {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly flushRequests: FlushRequests,
  ) {}

  /** Waits until the rows include every event of their categories appended so far. False on time-out. */
  async caughtUp({ schema, categories }: RowsOf, withinMs = CATCH_UP_MS): Promise<boolean> {
    // Not the log's newest event: a projection with only a checkpoint to write is slow to do so.
    const newest = await this.store.head(categories);
    this.flushRequests.flushUpTo(schema.name, newest);
    return this.readModels.reached(schema.name, newest, withinMs);
  }

  /** Whether the rows may be replaced by others that have not seen the same events. */
  isRebuilding(collection: string): Promise<boolean> {
    return this.readModels.isRebuilding(collection);
  }

  /** Rejects with `service_unavailable` if rows are missing before or after the read: clients would take a part for the whole. */
  async whole<T>(rows: RowsOf, read: () => Promise<T>, withinMs = CATCH_UP_MS): Promise<T> {
    const { name } = rows.schema;
    const isThere = (await this.caughtUp(rows, withinMs)) || (await this.readModels.isRestored(name));
    if (!isThere) throw madeAnew();
    const found = await read();
    if (!(await this.readModels.isRestored(name))) throw madeAnew();
    return found;
  }

  async find(collection: string, projectId: string, id: string): Promise<StoredRow | null> {
    const [row] = await this.readModels.getMany(collection, [id]);
    return row && row.projectId === projectId ? row : null;
  }
}

function madeAnew(): DomainError {
  return new DomainError('service_unavailable', 'This list is made anew. Try again.', { retryAfter: RETRY_AFTER_SECONDS });
}
