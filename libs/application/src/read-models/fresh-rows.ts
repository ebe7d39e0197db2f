import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { FlushRequests } from './flush-requests.js';
import type { Projection } from './projection.js';

/** How long a reader waits for a read model to catch up with what it has written. */
const CATCH_UP_MS = 2_000;
/** Clients come back often enough for a list that is soon made anew, and for one that takes minutes. */
const RETRY_AFTER_SECONDS = 5;

/** The projection whose rows are read. */
type RowsOf = Pick<Projection, 'schema' | 'categories'>;

/** Reading rows that are at least as new as every write answered before. */
@Injectable()
export class FreshRows {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly flushRequests: FlushRequests,
  ) {}

  /** Waits until the rows show every event appended so far that they are made of; answers in the end whether they do. */
  async caughtUp({ schema, categories }: RowsOf, withinMs = CATCH_UP_MS): Promise<boolean> {
    // Not the newest event of all: a projection that has only a checkpoint to write takes its time.
    const newest = await this.store.head(categories);
    this.flushRequests.flushUpTo(schema.name, newest);
    return this.readModels.reached(schema.name, newest, withinMs);
  }

  /** Whether other rows may take the place of these, which need not have seen what these have. */
  isRebuilding(collection: string): Promise<boolean> {
    return this.readModels.isRebuilding(collection);
  }

  /**
   * Waits as `caughtUp` does, then reads. Rejects with `service_unavailable` where rows are missing, before or after the reading:
   * a client would take a part of them for all.
   */
  async whole<T>(rows: RowsOf, read: () => Promise<T>, withinMs = CATCH_UP_MS): Promise<T> {
    const { name } = rows.schema;
    const isThere = (await this.caughtUp(rows, withinMs)) || (await this.readModels.isRestored(name));
    if (!isThere) throw madeAnew();
    const found = await read();
    if (!(await this.readModels.isRestored(name))) throw madeAnew();
    return found;
  }

  /** The project's row of this id, marked or not. */
  async find(collection: string, projectId: string, id: string): Promise<StoredRow | null> {
    const [row] = await this.readModels.getMany(collection, [id]);
    return row && row.projectId === projectId ? row : null;
  }
}

function madeAnew(): DomainError {
  return new DomainError('service_unavailable', 'This list is made anew. Try again.', { retryAfter: RETRY_AFTER_SECONDS });
}
