import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OpenIssues } from '@application/issues/open-issues';
import { Metrics } from '@platform/operations/metrics';

@Injectable()
export class IssueMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly issues: OpenIssues,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.gauges('issues_open', 'Issues that are open and not dismissed.', 'kind', () => this.issues.count());
  }
}
