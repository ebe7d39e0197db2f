import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '@platform/config/config';
import { VERSION } from '@platform/config/version';
import { Metrics } from '@platform/operations/metrics';

/** A metric of the version, so that a dashboard can show which versions run. */
@Injectable()
export class BuildMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { engine, agent } = this.config;
    this.metrics.facts('build_info', 'The version of this process, and what it runs with.', {
      version: VERSION,
      engine,
      agent: agent.kind,
      node: process.versions.node,
    });
  }
}
