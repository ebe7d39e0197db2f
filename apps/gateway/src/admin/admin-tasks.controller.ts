import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { INSTALLATION } from '@application/projects/projects.projection';
import { ListPage } from '@application/read-models/list-page.query';
import { CancelTask, GetTask } from '@application/tasks/task.commands';
import { taskIn, tasksProjection } from '@application/tasks/tasks.projection';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../http/routes/route.js';
import { TASK_FILTERS } from '../v1/task-filters.js';
import { TaskResource, toTaskResource } from '../v1/task.resource.js';

const TASK = { status: 200, description: 'The task, and how far it has come.', resource: TaskResource } as const;

/** Tasks of no project. */
@ApiTags('Installation')
@Controller('admin/v1/tasks')
export class AdminTasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @AdminListRoute({
    name: 'listInstallationTasks',
    summary: 'List the tasks that belong to no project',
    filters: TASK_FILTERS,
    resource: TaskResource,
    kind: 'task',
  })
  async list(@Client() { query }: AdminRequest): Promise<ListResource<TaskResource>> {
    const list = new ListPage(tasksProjection, INSTALLATION, readFilter(query, TASK_FILTERS), readPage(query));
    return toList(await this.queries.execute(list), (row) => toTaskResource(taskIn(row)));
  }

  @Get(':id')
  @AdminRoute({
    name: 'getInstallationTask',
    summary: 'Retrieve a task that belongs to no project',
    answers: [TASK],
    errors: ['resource_missing'],
  })
  async get(@Client() { params }: AdminRequest): Promise<TaskResource> {
    return toTaskResource(await this.queries.execute(new GetTask(null, params['id'] ?? '')));
  }

  @Post(':id/cancel')
  @AdminRoute({
    name: 'cancelInstallationTask',
    summary: 'Stop what a task has not done yet',
    answers: [TASK],
    errors: ['resource_missing'],
  })
  async cancel(@Client() { context, params }: AdminRequest): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(new CancelTask(context, null, params['id'] ?? '')));
  }
}
