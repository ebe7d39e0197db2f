import { Injectable } from '@nestjs/common';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { FreshRows } from '../../read-models/fresh-rows.js';
import type { Reactor } from '../../runtime/reactor.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { eventsProjection } from '../fan-out/events.projection.js';

const AT_ONCE = 100;
/** One partition for all: a partition key leaves out events that the reactor ignores, which are most. */
const ONLY_PARTITION = 'expired';
const ROWS_MS = 5_000;
const PROJECTIONS = [eventsProjection, deliveriesProjection];
const NAMES = PROJECTIONS.map(({ schema }) => schema.name);

/** Waits for read models to see the expiry, since a dropped stream cannot be read again, and for rebuilds to end. */
@Injectable()
export class ExpiredEventsReactor implements Reactor {
  readonly name = 'expired-events';
  readonly categories = ['deliveries'];

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly fresh: FreshRows,
  ) {}

  partitionKey({ event }: Recorded): string | null {
    return event.type === 'DeliveriesExpired' ? ONLY_PARTITION : null;
  }

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    await this.rowsCaughtUp();
    for (let first = 0; first < events.length; first += AT_ONCE) {
      signal.throwIfAborted();
      await this.noRebuildIsUnderWay();
      await Promise.all(events.slice(first, first + AT_ONCE).map(({ stream }) => this.streams.retire(idIn(stream))));
    }
  }

  private async rowsCaughtUp(): Promise<void> {
    for (const projection of PROJECTIONS) {
      if (!(await this.fresh.caughtUp(projection, ROWS_MS))) throw new Error(`${projection.schema.name} are late`);
    }
  }

  /** Asks for both at once, so that no rebuild begins between the answers and the drop. */
  private async noRebuildIsUnderWay(): Promise<void> {
    const answers = await Promise.all(NAMES.map((name) => this.fresh.isRebuilding(name)));
    const index = answers.indexOf(true);
    if (index !== -1) throw new Error(`${NAMES[index]} are being rebuilt`);
  }
}
