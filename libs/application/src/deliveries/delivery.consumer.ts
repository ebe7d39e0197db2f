import { Controller, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { waitBefore } from '@domain/delivery/retry-schedule';
import { FIRST_TOPIC } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import { isStoreTrouble } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import type { Admission } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import { RepeatedTrouble } from '../repeated-trouble.js';
import { AttemptSteps } from './attempt-steps.js';
import { DeliveryCounts } from './delivery-counts.js';
import { parsePointer, type DeliveryPointer } from './delivery-pointer.js';
import { DeliveryWorker } from './delivery.worker.js';
import { DueDeliveries } from './due-deliveries.js';
import { EndpointShares, type SharedWork } from './endpoint-shares.js';

/** An endpoint that takes longer gets a small share of what can be done at once. */
const QUICK_MS = 1_000;

/** Takes pointers to due deliveries from every topic, and holds back those that are not due. */
@Controller()
export class DeliveryConsumer implements SharedWork, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryConsumer.name);
  private readonly trouble: RepeatedTrouble;
  private storedBefore = 0;

  constructor(
    private readonly worker: DeliveryWorker,
    private readonly shares: EndpointShares,
    private readonly found: DueDeliveries,
    private readonly steps: AttemptSteps,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.trouble = new RepeatedTrouble(clock);
  }

  @EventPattern([FIRST_TOPIC, `${FIRST_TOPIC}.retry.*`])
  onPointer(@Payload() value: unknown): Admission {
    const pointer = parsePointer(value);
    if (!pointer) {
      this.counts.unreadable++;
      return { kind: 'accepted', done: Promise.resolve() };
    }
    return this.isEarly(pointer) ? { kind: 'held', until: pointer.dueAt } : this.shares.admit(pointer, this);
  }

  /** A first attempt that is further ahead than it can be tells of a clock that was set back: it holds up nobody behind it. */
  private isEarly({ attempt, dueAt }: DeliveryPointer): boolean {
    const waitMs = dueAt - this.clock.now();
    return waitMs > 0 && (attempt > 1 || waitMs <= waitBefore(this.settings.retrySchedule, 1));
  }

  /** Never rejects: what went wrong on our side is found again by the sweep. */
  async attempt(pointer: DeliveryPointer, answered: (well: boolean) => void): Promise<void> {
    const begunAt = this.clock.now();
    const judge = (succeeded: boolean) => answered(succeeded && this.clock.now() - begunAt < QUICK_MS);
    try {
      const delivery = await this.worker.attempt(pointer, judge);
      await this.steps.reached('offset');
      judge(delivery?.status === 'succeeded');
      this.tellOfTheEnd();
    } catch (error) {
      answered(false);
      this.tell(pointer, error);
    }
  }

  /** Which of many it was is of interest only where the store is not to blame. */
  private tell({ deliveryId }: DeliveryPointer, error: unknown): void {
    if (isStoreTrouble(error)) {
      this.storedBefore = this.counts.stored;
      if (!this.trouble.isNews(error)) return;
    }
    this.log.warn(`delivery ${deliveryId} was left to the sweep: ${nameOf(error)}`);
  }

  /** A pointer to what is made already goes well though nothing can be stored. */
  private tellOfTheEnd(): void {
    if (this.counts.stored > this.storedBefore && this.trouble.endsIt()) this.log.warn('deliveries are made again');
  }

  /** Attempts under way are finished: the store must not close under them. */
  beforeApplicationShutdown(): Promise<void> {
    return this.shares.settled();
  }

  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return this.found.of(pointer, limit);
  }
}
