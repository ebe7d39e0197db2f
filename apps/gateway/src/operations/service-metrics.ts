import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryCounts } from '@application/deliveries/delivery-counts';
import { EndpointShares } from '@application/deliveries/endpoint-shares';
import { LostDeliveries } from '@application/deliveries/lost-deliveries';
import { ProjectionsHost, type ProjectionStatus } from '@application/projections/projections-host';
import { Metrics } from '@platform/operations/metrics';

/** What an operator watches beside HTTP: read models, reactors, sweeps and deliveries. */
@Injectable()
export class ServiceMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly host: ProjectionsHost,
    private readonly counts: DeliveryCounts,
    private readonly shares: EndpointShares,
    private readonly lost: LostDeliveries,
  ) {}

  onApplicationBootstrap(): void {
    this.registerProjections();
    this.registerDeliveries();
  }

  private registerProjections(): void {
    const { metrics, host } = this;
    const each = async (read: (status: ProjectionStatus) => number) =>
      Object.fromEntries((await host.status()).map((status) => [status.name, read(status)]));
    metrics.gauges('projection_lag_seconds', 'How far a read model is behind.', 'projection', () =>
      each(({ lagMs }) => lagMs / 1_000),
    );
    metrics.counters('projection_skipped_events_total', 'Events that a read model could not apply.', 'projection', () =>
      each(({ quarantined }) => quarantined),
    );
    metrics.counters('projection_refused_rows_total', 'Rows that the store did not take.', 'projection', () =>
      each(({ refused }) => refused),
    );
    metrics.counters('projection_restarts_total', 'How often a read model began again from its checkpoint.', 'projection', () =>
      each(({ restarts }) => restarts),
    );
    metrics.counters(
      'reactor_skipped_events_total',
      'Events that a reactor could not handle.',
      'reactor',
      () => host.failures().reactors,
    );
    metrics.counters(
      'reactor_restarts_total',
      'How often a reactor began again from its checkpoint.',
      'reactor',
      () => host.failures().restarts,
    );
    metrics.counters('sweep_failures_total', 'Sweeps that failed and were tried again.', 'sweep', () => host.failures().sweepers);
  }

  private registerDeliveries(): void {
    const { metrics } = this;
    metrics.counters(
      'webhook_attempts_total',
      'Attempts by status class or error code.',
      'outcome',
      () => this.counts.attemptsByOutcome,
    );
    metrics.counters('webhook_deliveries_total', 'Deliveries that ended.', 'status', () => this.counts.endedByStatus);
    metrics.gauge('webhook_attempts_in_flight', 'Attempts under way.', () => this.shares.inFlight);
    metrics.counter(
      'webhook_pointers_unreadable_total',
      'Messages of the delivery topics that could not be read.',
      () => this.counts.unreadable,
    );
    metrics.gauge(
      'webhook_deliveries_overdue',
      `Deliveries whose pointer was lost, counted to ${LostDeliveries.mostCounted}.`,
      () => this.lost.count(),
    );
  }
}
