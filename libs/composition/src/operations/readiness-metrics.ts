import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '@platform/operations/metrics';
import { Readiness } from '@platform/operations/readiness';

/** The answer of `/ready` as a metric, for alerts. */
@Injectable()
export class ReadinessMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.gauges('part_ready', '1 while a part of /ready is ready, else 0.', 'part', async () => {
      const parts = await this.readiness.parts();
      return Object.fromEntries(parts.map(({ name, ready }) => [name, ready ? 1 : 0]));
    });
  }
}
