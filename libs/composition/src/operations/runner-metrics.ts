import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EffectRunners } from '@application/projections/effect-runners';
import { ProjectionRunners, type ProjectionStatus } from '@application/projections/projection-runners';
import { OverdueGauge } from '@application/webhooks/attempts/overdue-gauge';
import { Metrics } from '@platform/operations/metrics';

@Injectable()
export class RunnerMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly projections: ProjectionRunners,
    private readonly effects: EffectRunners,
    private readonly overdue: OverdueGauge,
  ) {}

  onApplicationBootstrap(): void {
    this.registerProjections();
    this.registerEffects();
    this.metrics.gauge(
      'webhook_deliveries_overdue',
      `Deliveries whose next attempt is two seconds late, counted to ${OverdueGauge.mostCounted}.`,
      () => this.overdue.count(),
    );
  }

  private registerProjections(): void {
    const { metrics, projections } = this;
    const each = async (read: (status: ProjectionStatus) => number) =>
      Object.fromEntries((await projections.status()).map((status) => [status.name, read(status)]));
    metrics.gauges('projection_lag_seconds', 'How far a read model is behind.', 'projection', () =>
      each(({ lagMs }) => lagMs / 1_000),
    );
    metrics.counters('projection_skipped_events_total', 'Events that a read model could not apply.', 'projection', () =>
      each(({ skipped }) => skipped),
    );
    metrics.counters('projection_refused_rows_total', 'Rows that the store did not take.', 'projection', () =>
      each(({ refused }) => refused),
    );
    metrics.counters('projection_restarts_total', 'How often a read model began again from its checkpoint.', 'projection', () =>
      each(({ restarts }) => restarts),
    );
  }

  private registerEffects(): void {
    const { metrics, effects } = this;
    metrics.gauges('reactor_waiting_events', 'Events that a reactor has read and not handled yet.', 'reactor', () =>
      effects.waiting(),
    );
    metrics.counters(
      'reactor_skipped_events_total',
      'Events that a reactor could not handle.',
      'reactor',
      () => effects.failures().skippedEvents,
    );
    metrics.counters(
      'reactor_restarts_total',
      'How often a reactor began again from its checkpoint.',
      'reactor',
      () => effects.failures().restarts,
    );
    metrics.counters(
      'sweep_failures_total',
      'Sweeps that failed and were tried again.',
      'sweep',
      () => effects.failures().failedSweeps,
    );
  }
}
