import { Injectable } from '@nestjs/common';
import { EventStore } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { Wanted } from './wanted.js';

/** How long a reader waits for a read model to catch up with what it has written. */
const CATCH_UP_MS = 2_000;

/** Reading rows that are at least as new as every write answered before. */
@Injectable()
export class FreshRows {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly wanted: Wanted,
  ) {}

  /** Waits until the collection holds everything appended so far; answers in the end whether it does. */
  async caughtUp(collection: string, withinMs = CATCH_UP_MS): Promise<boolean> {
    const head = await this.store.head();
    this.wanted.raise(collection, head);
    return this.readModels.reached(collection, head, withinMs);
  }

  /** The project's row of this id, marked or not. */
  async find(collection: string, projectId: string, id: string): Promise<StoredRow | null> {
    const [row] = await this.readModels.getMany(collection, [id]);
    return row && row.projectId === projectId ? row : null;
  }
}
