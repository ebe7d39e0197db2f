import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListPage } from '@application/read-models/list-page.query';
import { CancelTask, GetTask } from '@application/tasks/task.commands';
import { taskIn, tasksProjection } from '@application/tasks/tasks.projection';
import { TASK_WINDOW_DAYS } from '@domain/task/task';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { TASK_FILTERS } from './task-filters.js';
import { TaskResource, toTaskResource } from './task.resource.js';

@ApiTags('Tasks')
@Controller('v1/tasks')
export class TasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ListRoute({
    scope: 'webhooks:read',
    summary: `List the tasks of the last ${TASK_WINDOW_DAYS} days`,
    filters: TASK_FILTERS,
    resource: TaskResource,
    kind: 'task',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<ListResource<TaskResource>> {
    const list = new ListPage(tasksProjection, caller.projectId, readFilter(query, TASK_FILTERS), readPage(query));
    return toList(await this.queries.execute(list), (row) => toTaskResource(taskIn(row)));
  }

  @Get(':id')
  @Route({
    scope: 'webhooks:read',
    rate: 'read',
    summary: 'Retrieve a task',
    answers: [{ status: 200, description: 'The task, and how far it has come.', resource: TaskResource }],
    errors: ['resource_missing'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<TaskResource> {
    return toTaskResource(await this.queries.execute(new GetTask(caller.projectId, params['id'] ?? '')));
  }

  @Post(':id/cancel')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Stop what a task has not done yet',
    about: 'What it has done stays. A task that is over stays as it is.',
    answers: [{ status: 200, description: 'The task, which is over.', resource: TaskResource }],
    errors: ['resource_missing'],
  })
  async cancel(@Client() { context, params }: ClientRequest): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(new CancelTask(context, context.projectId, params['id'] ?? '')));
  }
}
