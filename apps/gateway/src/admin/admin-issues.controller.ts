import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DismissIssue, GetIssue, ListIssues } from '@application/issues/issue.commands';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../http/routes/route.js';
import { ISSUE_FILTERS } from '../v1/issue-filters.js';
import { IssueResource, toIssueResource } from '../v1/issue.resource.js';
import { DismissIssueDto } from '../v1/issues.dto.js';

const ISSUE = { status: 200, description: 'The issue as it is now.', resource: IssueResource } as const;

/** Issues of all projects, and of the installation. */
@ApiTags('Installation')
@Controller('admin/v1/issues')
export class AdminIssuesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @AdminListRoute({
    name: 'listAllIssues',
    summary: 'List the issues of all projects, and of the installation',
    filters: ISSUE_FILTERS,
    resource: IssueResource,
    kind: 'issue',
  })
  async list(@Client() { query }: AdminRequest): Promise<ListResource<IssueResource>> {
    const list = new ListIssues('all', readFilter(query, ISSUE_FILTERS), readPage(query));
    return toList(await this.queries.execute(list), toIssueResource);
  }

  @Get(':id')
  @AdminRoute({
    name: 'getAnyIssue',
    summary: 'Retrieve an issue of any project, or of the installation',
    answers: [ISSUE],
    errors: ['resource_missing'],
  })
  async get(@Client() { params }: AdminRequest): Promise<IssueResource> {
    return toIssueResource(await this.queries.execute(new GetIssue('all', params['id'] ?? '')));
  }

  @Post(':id/dismiss')
  @AdminRoute({
    name: 'dismissAnyIssue',
    summary: 'Dismiss an issue; a dismissed or closed one stays as it is',
    body: DismissIssueDto,
    answers: [ISSUE],
    errors: ['resource_missing'],
  })
  async dismiss(@Client() { context, params }: AdminRequest): Promise<IssueResource> {
    return toIssueResource(await this.commands.execute(new DismissIssue(context, 'all', params['id'] ?? '')));
  }
}
