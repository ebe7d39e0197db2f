import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import { INSTALLATION } from '../../projects/projects.projection.js';
import { ListPage } from '../../read-models/list-page.query.js';
import { taskIn, tasksProjection } from '../../tasks/tasks.projection.js';
import { PROJECTIONS_REBUILD } from './rebuild-progress.js';

/** More than may be open at a time. */
const LATEST = 100;
const OF_KIND = [[{ field: 'kind', op: 'eq', value: PROJECTIONS_REBUILD }]] as const;

/** The tasks that make read models anew. */
@Injectable()
export class Rebuilds {
  constructor(private readonly queries: QueryBus) {}

  /** The latest ones, newest first. */
  async latest(): Promise<readonly Task[]> {
    const page = { limit: LATEST, order: 'desc', startingAfter: null, endingBefore: null } as const;
    const { items } = await this.queries.execute(new ListPage(tasksProjection, INSTALLATION, OF_KIND, page));
    return items.map(taskIn);
  }
}
