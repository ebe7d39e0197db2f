import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RebuildProjections } from '@application/projections/rebuilds/rebuild.commands';
import { ListProjections, type ProjectionStanding } from '@application/projections/standing/projection-standing';
import { resourceMissing } from '@domain/kernel/domain-error';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { AdminRoute } from '../http/routes/route.js';
import { TaskResource, toTaskResource } from '../v1/task.resource.js';
import { ProjectionResource, toProjectionResource } from './projection.resource.js';

const REBUILD = {
  about:
    'Lists show the rows from before until the new ones are complete. While an open task covers the same read models, that task is the answer.',
  answers: [{ status: 202, description: 'The task that does it.', resource: TaskResource }],
  errors: ['resource_missing', 'task_limit_reached'],
} as const;

@ApiTags('Installation')
@Controller('admin/v1/projections')
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @AdminRoute({
    summary: 'List the projections, all on one page',
    answers: [{ status: 200, description: 'Every projection, and how far it is.', resource: ProjectionResource, list: null }],
  })
  async list(): Promise<ListResource<ProjectionResource>> {
    const items = await this.standings();
    return toList({ items, hasMore: false, nextCursor: null }, toProjectionResource);
  }

  @Get(':name')
  @AdminRoute({
    summary: 'Retrieve a projection',
    answers: [{ status: 200, description: 'The projection, and how far it is.', resource: ProjectionResource }],
    errors: ['resource_missing'],
  })
  async get(@Client() { params }: AdminRequest): Promise<ProjectionResource> {
    // During a rolling update a projection is listed in two versions, the new one last.
    const standing = (await this.standings()).findLast(({ name }) => name === params['name']);
    if (!standing) throw resourceMissing('projection', 'name');
    return toProjectionResource(standing);
  }

  @Post('rebuild')
  @HttpCode(202)
  @AdminRoute({ summary: 'Make the rows of every projection anew, from the log', ...REBUILD })
  async rebuildAll(@Client() { context }: AdminRequest): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(new RebuildProjections(context, null)));
  }

  @Post(':name/rebuild')
  @HttpCode(202)
  @AdminRoute({ summary: 'Make the rows of a projection anew, from the log', ...REBUILD })
  async rebuild(@Client() { context, params }: AdminRequest): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(new RebuildProjections(context, [params['name'] ?? ''])));
  }

  private standings(): Promise<readonly ProjectionStanding[]> {
    return this.queries.execute(new ListProjections());
  }
}
