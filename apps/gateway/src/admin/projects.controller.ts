import { Body, Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListPage } from '@application/read-models/list-page.query';
import { GetProject } from '@application/projects/project.commands';
import { ProjectDirectory } from '@application/projects/project-directory';
import { INSTALLATION, projectsProjection } from '@application/projects/projects.projection';
import type { Project } from '@domain/project/project.decider';
import { readFilter, timeRange } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../http/routes/route.js';
import { ProjectResource, toProjectResource } from './project.resource.js';
import { CreateProjectDto, UpdateProjectDto } from './projects.dto.js';

const FILTERS = { created_at: timeRange('Only projects created', 'createdAt') };

const PROJECT = { status: 200, description: 'The project as it is now.', resource: ProjectResource } as const;

@ApiTags('Projects')
@Controller('admin/v1/projects')
export class ProjectsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: ProjectDirectory,
  ) {}

  @Get()
  @AdminListRoute({ summary: 'List projects', filters: FILTERS, resource: ProjectResource, kind: 'project' })
  async list(@Client() { query }: AdminRequest): Promise<ListResource<ProjectResource>> {
    const list = new ListPage(projectsProjection, INSTALLATION, readFilter(query, FILTERS), readPage(query));
    return toList(await this.queries.execute(list), ({ id, createdAt, row }) =>
      toProjectResource({ id, createdAt, ...row }, this.directory.settingsOf(row)),
    );
  }

  @Post()
  @AdminRoute({
    summary: 'Create a project',
    body: CreateProjectDto,
    answers: [{ ...PROJECT, status: 201, description: 'The new project.' }],
    errors: ['parameter_missing', 'parameter_too_long'],
  })
  async create(@Client() { context }: AdminRequest, @Body() body: CreateProjectDto): Promise<ProjectResource> {
    return this.shown(await this.commands.execute(body.toCommand(context)));
  }

  @Get(':id')
  @AdminRoute({ summary: 'Retrieve a project', answers: [PROJECT], errors: ['resource_missing'] })
  async get(@Client() { params }: AdminRequest): Promise<ProjectResource> {
    return this.shown(await this.queries.execute(new GetProject(params['id'] ?? '')));
  }

  @Patch(':id')
  @AdminRoute({
    summary: 'Change a project',
    about: 'Null sets a member back to what the operator has set.',
    body: UpdateProjectDto,
    answers: [PROJECT],
    errors: ['parameter_too_long', 'resource_missing'],
  })
  async update(@Client() { context, params }: AdminRequest, @Body() body: UpdateProjectDto): Promise<ProjectResource> {
    return this.shown(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  private shown(project: Project): ProjectResource {
    return toProjectResource(project, this.directory.settingsOf(project));
  }
}
