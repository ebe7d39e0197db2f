import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EffectRunners } from '@application/projections/effect-runners';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { HostedComponents, type Retry } from '@application/projections/retries/hosted-components';

/** The runners of this process, found when asked: they run the task that asks, so they cannot be given to it. */
@Injectable()
export class HostedParts extends HostedComponents {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  async retry(component: string, retry: Retry, signal: AbortSignal): Promise<number> {
    const projections = this.modules.get(ProjectionRunners, { strict: false });
    if (projections.has(component)) return projections.retry(component, retry, signal);
    return this.modules.get(EffectRunners, { strict: false }).retry(component, retry, signal);
  }
}
