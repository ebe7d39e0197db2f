import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryCounts } from '@application/webhooks/delivery-counts';
import { AttemptScheduler } from '@application/webhooks/attempts/attempt-scheduler';
import { MessageBus } from '@ports/message-bus.port';
import { Metrics } from '@platform/operations/metrics';

@Injectable()
export class DeliveryMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly counts: DeliveryCounts,
    private readonly scheduler: AttemptScheduler,
    private readonly bus: MessageBus,
  ) {}

  onApplicationBootstrap(): void {
    this.registerAttempts();
    this.registerWaiting();
  }

  private registerAttempts(): void {
    const { metrics } = this;
    metrics.counters(
      'webhook_attempts_total',
      'Attempts by status class or error code.',
      'outcome',
      () => this.counts.attemptsByOutcome,
    );
    metrics.counters(
      'webhook_attempts_postponed_total',
      'Attempts that this machine could not make, by what it lacked; they are made again in some seconds.',
      'cause',
      () => this.counts.postponedByCause,
    );
    metrics.counters('webhook_deliveries_total', 'Deliveries that ended.', 'status', () => this.counts.endedByStatus);
    metrics.gauge('webhook_attempts_in_flight', 'Attempts under way.', () => this.scheduler.inFlight);
  }

  private registerWaiting(): void {
    const { metrics } = this;
    metrics.gauges(
      'webhook_deliveries_waiting',
      'Due deliveries that this process has taken: they wait until their receiver answers earlier ones, or for a place.',
      'for',
      () => ({ ...this.scheduler.waiting }),
    );
    metrics.gauges(
      'webhook_topic_lag_messages',
      'Messages of a topic that no delivery process has taken yet, or that are under their first attempt.',
      'topic',
      () => this.bus.lag(),
    );
    metrics.counter(
      'webhook_pointers_unreadable_total',
      'Messages of the delivery topics that are damaged, or say otherwise than the stream of their delivery.',
      () => this.counts.unreadable,
    );
  }
}
