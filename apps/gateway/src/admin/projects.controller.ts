import { Body, Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { ListPage } from '@application/read-models/list-page.query';
import { GetProject } from '@application/projects/project.commands';
import { ProjectDirectory } from '@application/projects/project-directory';
import { INSTALLATION, projectsProjection } from '@application/projects/projects.projection';
import type { Project } from '@domain/project/project.decider';
import { readFilter, timeRange } from '../http/paging/list-filters.js';
import { toList } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import { toProjectResource } from './project.resource.js';
import { CreateProjectDto, UpdateProjectDto } from './projects.dto.js';

const FILTERS = { created_at: timeRange('Only projects created', 'createdAt') };

@ApiExcludeController()
@Controller('admin/v1/projects')
export class ProjectsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: ProjectDirectory,
  ) {}

  @Get()
  @AdminRoute({ filters: FILTERS })
  async list(@Client() { query }: AdminRequest) {
    const list = new ListPage(projectsProjection, INSTALLATION, readFilter(query, FILTERS), readPage(query));
    return toList(await this.queries.execute(list), ({ id, createdAt, row }) =>
      toProjectResource({ id, createdAt, ...row }, this.directory.settingsOf(row)),
    );
  }

  @Post()
  @AdminRoute({ status: 201, body: CreateProjectDto })
  async create(@Client() { context }: AdminRequest, @Body() body: CreateProjectDto) {
    return this.shown(await this.commands.execute(body.toCommand(context)));
  }

  @Get(':id')
  @AdminRoute()
  async get(@Client() { params }: AdminRequest) {
    return this.shown(await this.queries.execute(new GetProject(params['id'] ?? '')));
  }

  @Patch(':id')
  @AdminRoute({ body: UpdateProjectDto })
  async update(@Client() { context, params }: AdminRequest, @Body() body: UpdateProjectDto) {
    return this.shown(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  private shown(project: Project) {
    return toProjectResource(project, this.directory.settingsOf(project));
  }
}
