import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ReadModelLags } from '@application/issues/judge/lagging-read-models';
import { ProjectionRunners } from '@application/projections/projection-runners';

/** The runners of this process, found when asked: they run a reactor that opens issues, so it cannot be given to them. */
@Injectable()
export class HostedReadModels extends ReadModelLags {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  get isHosting(): boolean {
    return this.runners.isHosting;
  }

  status(): ReturnType<ProjectionRunners['status']> {
    return this.runners.status();
  }

  private get runners(): ProjectionRunners {
    return this.modules.get(ProjectionRunners, { strict: false });
  }
}
