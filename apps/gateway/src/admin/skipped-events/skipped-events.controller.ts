import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { INSTALLATION } from '@application/projects/projects.projection';
import { ListPage } from '@application/read-models/list-page.query';
import { RetrySkippedEvent } from '@application/skipped-events/skipped-event.commands';
import { skippedEventsProjection } from '@application/skipped-events/skipped-events.projection';
import { exactly, readFilter, type Filters } from '../../http/paging/list-filters.js';
import { toList, type ListResource } from '../../http/paging/list.resource.js';
import { readPage } from '../../http/paging/read-page.js';
import { Client, type AdminRequest } from '../../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../../http/routes/route.js';
import { TaskResource, toTaskResource } from '../../v1/task.resource.js';
import { SkippedEventResource, toSkippedEventResource } from './skipped-event.resource.js';

const FILTERS: Filters = { component: exactly('Only those of this projection or reactor.', 'component') };

/** What projections and reactors lack, of all projects. */
@ApiTags('Installation')
@Controller('admin/v1/skipped_events')
export class SkippedEventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @AdminListRoute({
    name: 'listSkippedEvents',
    summary: 'List the events that a projection or a reactor could not apply, and lacks',
    about: 'One that was applied by a retry or a rebuild leaves the list.',
    filters: FILTERS,
    resource: SkippedEventResource,
    kind: 'skippedEvent',
  })
  async list(@Client() { query }: AdminRequest): Promise<ListResource<SkippedEventResource>> {
    const list = new ListPage(skippedEventsProjection, INSTALLATION, readFilter(query, FILTERS), readPage(query));
    return toList(await this.queries.execute(list), toSkippedEventResource);
  }

  @Post(':id/retry')
  @HttpCode(202)
  @AdminRoute({
    summary: 'Apply a skipped event anew',
    about:
      'A reactor handles it once more; a projection makes the rows that lack it anew, or all of its rows where they cannot be made one by one. If that succeeds it leaves the list, else it counts one more attempt.',
    answers: [{ status: 202, description: 'The task that does it.', resource: TaskResource }],
    errors: ['resource_missing', 'task_limit_reached'],
  })
  async retry(@Client() { context, params }: AdminRequest): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(new RetrySkippedEvent(context, params['id'] ?? '')));
  }
}
