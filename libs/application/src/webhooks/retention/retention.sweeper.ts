import { Injectable } from '@nestjs/common';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import type { Envelope } from '@domain/kernel/envelope';
import { timeOfId } from '@domain/kernel/ids';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { eventsProjection, type EventRow } from '../fan-out/events.projection.js';
import { dueIds, workThrough, type Due } from '../../read-models/work-through.js';
import { TrustedTime } from '../../runtime/log-time.js';
import type { Sweeper } from '../../runtime/sweeper.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DueDeliveries } from '../due-deliveries.js';
import { OrphanedRows } from './orphaned-rows.js';

const EVERY_MS = 600_000;
const PAGE = 100;
const DUE_EVENTS = [eventsProjection.schema.name, 'retireAt' satisfies keyof EventRow] as const;

/** Expires finished deliveries of events past their retention. `ExpiredEventsReactor` then drops their bytes. */
@Injectable()
export class RetentionSweeper implements Sweeper {
  readonly name = 'retention';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly readModels: ReadModels,
    private readonly found: DueDeliveries,
    private readonly orphaned: OrphanedRows,
    private readonly time: TrustedTime,
  ) {}

  async sweep(_: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const now = this.time.now();
    const ofEvent = (eventId: string) => this.expire(eventId, null, round);
    const ofDelivery = ({ eventId, deliveryId }: DeliveryPointer) => this.expire(eventId, deliveryId, round);
    const failures = [
      ...(await workThrough(dueIds(this.readModels, DUE_EVENTS, now), ofEvent, signal)),
      ...(await workThrough((after) => this.tests(now, after), ofDelivery, signal)),
      ...(await workThrough((after) => this.overdue(now, after), ofDelivery, signal)),
    ];
    if (failures.length > 0) throw failures[0];
  }

  private async expire(eventId: string, deliveryId: string | null, round: Envelope): Promise<void> {
    const { events } = await this.streams.submit(eventId, { type: 'ExpireDeliveries', at: this.time.now() }, round);
    if (events.length === 0) await this.orphaned.end(eventId, deliveryId);
  }

  private async tests(now: number, after: DueKey | null): Promise<Due<DeliveryPointer>> {
    const { pointers, next } = await this.found.dueBy('retireAt', now, PAGE, after);
    return { items: pointers, next };
  }

  /** Overdue deliveries of events past their retention: a younger event's stream cannot have been dropped. */
  private async overdue(now: number, after: DueKey | null): Promise<Due<DeliveryPointer>> {
    const { pointers, next } = await this.found.dueBy('lostAt', now, PAGE, after);
    return { items: pointers.filter(({ eventId }) => timeOfId(eventId) + RETIRE_AFTER_MS <= now), next };
  }
}
