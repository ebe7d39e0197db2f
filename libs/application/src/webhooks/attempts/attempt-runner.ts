import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { LogThrottle } from '../../runtime/log-throttle.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DeliveryWorker } from './delivery.worker.js';
import { DueDeliveries } from '../due-deliveries.js';
import type { AttemptWork } from './attempt-scheduler.js';

/** An attempt that takes longer does not go well: the endpoint's limit starts again from the smallest. */
const QUICK_MS = 1_000;

/** Runs the attempts that the scheduler starts, and judges how each went; what fails on our side is left to the sweep. */
@Injectable()
export class AttemptRunner implements AttemptWork {
  private readonly log = new Logger(AttemptRunner.name);
  private readonly throttle: LogThrottle;
  private readonly hindrances: LogThrottle;
  private storedBefore = 0;

  constructor(
    private readonly worker: DeliveryWorker,
    private readonly found: DueDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly topics: DeliveryTopics,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.throttle = new LogThrottle(clock);
    this.hindrances = new LogThrottle(clock);
  }

  /** Never rejects: the sweep finds again what failed on our side. */
  async attempt(pointer: DeliveryPointer, answered: (well: boolean | null) => void): Promise<void> {
    const begunAt = this.clock.now();
    try {
      const isQuick = () => this.clock.now() - begunAt < QUICK_MS;
      await this.worker.attempt(pointer, {
        answered: (succeeded) => answered(succeeded === null ? null : succeeded && isQuick()),
        hindered: (cause) => this.logHindrance(cause),
        waits: (error) => this.logWait(error),
      });
      answered(null);
      this.logRecovery();
    } catch (error) {
      answered(false);
      if (isRetryableStoreError(error)) this.topics.forget(pointer);
      this.logFailure(pointer, error);
    }
  }

  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return this.found.dueFor(pointer, limit);
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.streams.readAhead(next.map(({ eventId }) => eventId));
  }

  /** Logs each delivery that failed, but a store that is unavailable once for all. */
  private logFailure({ deliveryId }: DeliveryPointer, error: unknown): void {
    if (isRetryableStoreError(error) && !this.isNews(error)) return;
    this.log.warn(`delivery ${deliveryId} was left to the sweep: ${nameOf(error)}`);
  }

  private logWait(error: unknown): void {
    if (this.isNews(error)) this.log.warn(`deliveries wait for the store: ${nameOf(error)}`);
  }

  private logHindrance(cause: string): void {
    if (this.hindrances.shouldLog(new Error(cause))) this.log.warn(`webhook attempts wait for this machine: ${cause}`);
  }

  private isNews(error: unknown): boolean {
    this.storedBefore = this.counts.stored;
    return this.throttle.shouldLog(error);
  }

  /** Success alone does not say that the store is back: a pointer to a delivery made before succeeds without it. */
  private logRecovery(): void {
    if (this.counts.stored > this.storedBefore && this.throttle.recovered()) this.log.warn('deliveries are made again');
  }
}
