import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DamagedRows } from '@application/read-models/damaged-rows';
import { Metrics } from '@platform/operations/metrics';

@Injectable()
export class ListMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly damaged: DamagedRows,
  ) {}

  onApplicationBootstrap(): void {
    const help = 'How often a row was left out of a list because what is stored of it is damaged.';
    this.metrics.counters('list_damaged_rows_total', help, 'projection', () => this.damaged.counts);
  }
}
