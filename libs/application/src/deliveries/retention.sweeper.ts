import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { eventsProjection, type EventRow } from '../events/events.projection.js';
import { duePage } from '../projections/due-page.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DueDeliveries } from './due-deliveries.js';

const EVERY_MS = 600_000;
const PAGE = 100;

interface Page {
  readonly eventIds: readonly string[];
  readonly next: DueKey | null;
}

/** Ends the deliveries of events that nobody can ask for any more; never unfinished ones. Their bytes go after that. */
@Injectable()
export class RetentionSweeper implements Sweeper {
  readonly name = 'retention';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly readModels: ReadModels,
    private readonly found: DueDeliveries,
    private readonly clock: Clock,
  ) {}

  async sweep(now: number, signal: AbortSignal): Promise<void> {
    const failures = [
      ...(await this.expireAll((after) => this.events(now, after), signal)),
      ...(await this.expireAll((after) => this.tests(now, after), signal)),
    ];
    if (failures.length > 0) throw failures[0];
  }

  /** An event that the store refuses keeps no other and is found again; so many of them mean that it takes none. */
  private async expireAll(page: (after: DueKey | null) => Promise<Page>, signal: AbortSignal): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    let after: DueKey | null = null;
    do {
      const { eventIds, next }: Page = await page(after);
      if (signal.aborted) break;
      const outcomes = await Promise.allSettled([...new Set(eventIds)].map((eventId) => this.expire(eventId)));
      failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])));
      after = next;
    } while (after && failures.length < PAGE);
    return failures;
  }

  private async expire(eventId: string): Promise<void> {
    await this.streams.submit(eventId, { type: 'ExpireDeliveries', at: this.clock.now() });
  }

  private async events(now: number, after: DueKey | null): Promise<Page> {
    const { name } = eventsProjection.schema;
    const { rows, next } = await duePage<EventRow>(this.readModels, [name, 'retireAt'], now, PAGE, after);
    return { eventIds: rows.map(({ id }) => id), next };
  }

  private async tests(now: number, after: DueKey | null): Promise<Page> {
    const { pointers, next } = await this.found.by('retireAt', now, PAGE, after);
    return { eventIds: pointers.map(({ eventId }) => eventId), next };
  }
}
