import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { NO_SPAN, type Span } from '@ports/tracer.port';
import { LogThrottle } from '../../runtime/log-throttle.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DeliveryWorker } from './delivery.worker.js';
import { DueDeliveries } from '../due-deliveries.js';
import type { AttemptSigns, AttemptWork } from './attempt-work.js';

/** A slower attempt resets the endpoint's limit of concurrent attempts to the minimum. */
const QUICK_MS = 1_000;

/** Runs the attempts that the scheduler starts, and judges how each went. */
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

  /** Never rejects: after a failure on our side the overdue sweeper publishes the delivery again. */
  async attempt(pointer: DeliveryPointer, signs: AttemptSigns, span: Span = NO_SPAN): Promise<boolean> {
    const { found, sends, answered } = signs;
    const begunAt = this.clock.now();
    try {
      const isQuick = () => this.clock.now() - begunAt < QUICK_MS;
      await this.worker.attempt(pointer, {
        found,
        sends,
        answered: (succeeded) => answered(succeeded === null ? null : succeeded && isQuick()),
        hindered: (cause) => this.logHindrance(cause),
        waits: (error) => this.logWait(error),
        span,
      });
      answered(null);
      this.logRecovery();
      return true;
    } catch (error) {
      answered(false);
      span.fail(nameOf(error));
      if (isRetryableStoreError(error)) this.topics.forget(pointer);
      this.logFailure(pointer, error);
      return false;
    }
  }

  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return this.found.dueFor(pointer, limit);
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.streams.readAhead(next.map(({ eventId }) => eventId));
  }

  /** What cannot be published is found by the sweep. */
  handBack(pointers: readonly DeliveryPointer[]): void {
    this.topics.forward(pointers).catch(() => undefined);
  }

  /** Logs each failed delivery, but an unavailable store only once. */
  private logFailure({ deliveryId }: DeliveryPointer, error: unknown): void {
    if (isRetryableStoreError(error) && !this.isNews(error)) return;
    this.log.warn(`delivery ${deliveryId} failed on our side and is retried by the overdue sweeper: ${nameOf(error)}`);
  }

  private logWait(error: unknown): void {
    if (this.isNews(error)) this.log.warn(`deliveries wait, the store is unavailable: ${nameOf(error)}`);
  }

  private logHindrance(cause: string): void {
    if (this.hindrances.shouldLog(new Error(cause)))
      this.log.warn(`webhook attempts are postponed, this machine cannot make them: ${cause}`);
  }

  private isNews(error: unknown): boolean {
    this.storedBefore = this.counts.stored;
    return this.throttle.shouldLog(error);
  }

  /** Only a stored outcome shows that the store is back: an attempt of a finished delivery writes nothing. */
  private logRecovery(): void {
    if (this.counts.stored > this.storedBefore && this.throttle.recovered()) this.log.warn('the store is back, deliveries go on');
  }
}
