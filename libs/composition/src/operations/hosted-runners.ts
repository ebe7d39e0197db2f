import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ProjectionRunners } from '@application/projections/projection-runners';
import type { ReadModelRebuild } from '@application/projections/read-model-rebuild';
import { HostedProjections } from '@application/projections/rebuilds/rebuild-task';

/** The runners of this process, found when asked: they run the task that asks, so they cannot be given to it. */
@Injectable()
export class HostedRunners extends HostedProjections {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  rebuild(name: string, signal: AbortSignal): ReadModelRebuild {
    return this.modules.get(ProjectionRunners, { strict: false }).rebuild(name, signal);
  }
}
