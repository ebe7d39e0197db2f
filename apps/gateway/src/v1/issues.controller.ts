import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DismissIssue, GetIssue, ListIssues } from '@application/issues/issue.commands';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { ISSUE_FILTERS } from './issue-filters.js';
import { IssueResource, toIssueResource } from './issue.resource.js';
import { DismissIssueDto } from './issues.dto.js';

const ISSUE = { status: 200, description: 'The issue as it is now.', resource: IssueResource } as const;

@ApiTags('Issues')
@Controller('v1/issues')
export class IssuesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ListRoute({
    scope: 'webhooks:read',
    summary: 'List issues',
    filters: ISSUE_FILTERS,
    resource: IssueResource,
    kind: 'issue',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<ListResource<IssueResource>> {
    const list = new ListIssues({ projectId: caller.projectId }, readFilter(query, ISSUE_FILTERS), readPage(query));
    return toList(await this.queries.execute(list), toIssueResource);
  }

  @Get(':id')
  @Route({ scope: 'webhooks:read', rate: 'read', summary: 'Retrieve an issue', answers: [ISSUE], errors: ['resource_missing'] })
  async get(@Client() { caller, params }: ClientRequest): Promise<IssueResource> {
    return toIssueResource(await this.queries.execute(new GetIssue({ projectId: caller.projectId }, params['id'] ?? '')));
  }

  @Post(':id/dismiss')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Dismiss an issue; a dismissed or closed one stays as it is',
    about: 'Nothing is posted when it closes. What comes anew after that is a new issue.',
    body: DismissIssueDto,
    answers: [ISSUE],
    errors: ['resource_missing'],
  })
  async dismiss(@Client() { context, params }: ClientRequest): Promise<IssueResource> {
    const { projectId } = context;
    return toIssueResource(await this.commands.execute(new DismissIssue(context, { projectId }, params['id'] ?? '')));
  }
}
