import { Injectable } from '@nestjs/common';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { FreshRows } from '../read-models/fresh-rows.js';
import type { Reactor } from '../runtime/reactor.js';
import { tasksProjection } from './tasks.projection.js';

const AT_ONCE = 100;
/** One partition for all: a partition key leaves out events that the reactor ignores, which are most. */
const ONLY_PARTITION = 'expired';
const ROWS_MS = 5_000;
const { name } = tasksProjection.schema;

/** Drops the streams of expired tasks, once the read model has seen the expiry and no rebuild of it is under way. */
@Injectable()
export class ExpiredTasksReactor implements Reactor {
  readonly name = 'expired-tasks';
  readonly categories = tasksProjection.categories;

  constructor(
    private readonly store: EventStore,
    private readonly fresh: FreshRows,
  ) {}

  partitionKey({ event }: Recorded): string | null {
    return event.type === 'TaskExpired' ? ONLY_PARTITION : null;
  }

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    if (!(await this.fresh.caughtUp(tasksProjection, ROWS_MS))) throw new Error(`${name} are late`);
    for (let first = 0; first < events.length; first += AT_ONCE) {
      signal.throwIfAborted();
      if (await this.fresh.isRebuilding(name)) throw new Error(`${name} are being rebuilt`);
      await Promise.all(events.slice(first, first + AT_ONCE).map(({ stream }) => this.store.retire(stream)));
    }
  }
}
