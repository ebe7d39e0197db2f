import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetProjectionRow, ListRowChanges } from '@application/projections/rows/row.queries';
import { toList, type ListResource } from '../../http/paging/list.resource.js';
import { readPage } from '../../http/paging/read-page.js';
import { Client, type AdminRequest } from '../../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../../http/routes/route.js';
import { ProjectionRowResource, toProjectionRowResource } from './projection-row.resource.js';
import { RowChangeResource, toRowChangeResource } from './row-change.resource.js';

/** Rows of projections, of all projects. */
@ApiTags('Installation')
@Controller('admin/v1/projections/:name/rows/:id')
export class ProjectionRowsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @AdminRoute({
    name: 'getProjectionRow',
    summary: 'Retrieve a row of a projection, as it is stored',
    answers: [{ status: 200, description: 'The row.', resource: ProjectionRowResource }],
    errors: ['resource_missing'],
  })
  async get(@Client() { params }: AdminRequest): Promise<ProjectionRowResource> {
    const { name = '', id = '' } = params;
    return toProjectionRowResource(name, await this.queries.execute(new GetProjectionRow(name, id)));
  }

  @Get('history')
  @AdminListRoute({
    name: 'listRowChanges',
    summary: 'List the events that made a row, and what each changed',
    about: 'The last one leaves the row as it is. Where a row is made of many streams it has no history here.',
    filters: {},
    resource: RowChangeResource,
    kind: 'position',
    first: 'oldest',
    errors: ['resource_missing', 'history_unavailable'],
  })
  async history(@Client() { params, query }: AdminRequest): Promise<ListResource<RowChangeResource>> {
    const { name = '', id = '' } = params;
    const page = await this.queries.execute(new ListRowChanges(name, id, readPage(query, 'asc')));
    return toList(page, toRowChangeResource);
  }
}
