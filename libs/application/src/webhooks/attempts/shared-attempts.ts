import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { isStoreUnavailable } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { LogThrottle } from '../../runtime/log-throttle.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DeliveryWorker } from './delivery.worker.js';
import { DueDeliveries } from '../due-deliveries.js';
import type { SharedWork } from './endpoint-shares.js';

/** An endpoint that takes longer gets a small share of what can be done at once. */
const QUICK_MS = 1_000;

/** Attempts as endpoints share them: each is judged by how it went, and what goes wrong on our side is left to the sweep. */
@Injectable()
export class SharedAttempts implements SharedWork {
  private readonly log = new Logger(SharedAttempts.name);
  private readonly throttle: LogThrottle;
  private storedBefore = 0;

  constructor(
    private readonly worker: DeliveryWorker,
    private readonly found: DueDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Never rejects: what went wrong on our side is found again by the sweep. */
  async attempt(pointer: DeliveryPointer, answered: (well: boolean | null) => void): Promise<void> {
    const begunAt = this.clock.now();
    try {
      await this.worker.attempt(pointer, (succeeded) => answered(succeeded && this.clock.now() - begunAt < QUICK_MS));
      answered(null);
      this.tellOfTheEnd();
    } catch (error) {
      answered(false);
      this.tell(pointer, error);
    }
  }

  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return this.found.dueFor(pointer, limit);
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.streams.readAhead(next.map(({ eventId }) => eventId));
  }

  /** Which of many it was is of interest only where the store is not to blame. */
  private tell({ deliveryId }: DeliveryPointer, error: unknown): void {
    if (isStoreUnavailable(error)) {
      this.storedBefore = this.counts.stored;
      if (!this.throttle.shouldLog(error)) return;
    }
    this.log.warn(`delivery ${deliveryId} was left to the sweep: ${nameOf(error)}`);
  }

  /** A pointer to what is made already goes well though nothing can be stored. */
  private tellOfTheEnd(): void {
    if (this.counts.stored > this.storedBefore && this.throttle.recovered()) this.log.warn('deliveries are made again');
  }
}
