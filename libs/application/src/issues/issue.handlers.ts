import { CommandHandler, QueryBus, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Issue } from '@domain/issue/issue';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import type { Condition, Filter } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { INSTALLATION } from '../projects/projects.projection.js';
import { GetRow } from '../read-models/get-row.query.js';
import { ListPage } from '../read-models/list-page.query.js';
import { IssueDirectory } from './issue-directory.js';
import { IssueViews } from './issue-views.js';
import { DismissIssue, GetIssue, ListIssues, type IssueOwner } from './issue.commands.js';
import { issuesProjection, toIssue } from './issues.projection.js';

@QueryHandler(ListIssues)
export class ListIssuesHandler implements IQueryHandler<ListIssues> {
  constructor(
    private readonly queries: QueryBus,
    private readonly views: IssueViews,
  ) {}

  async execute({ owner, filter, page }: ListIssues): Promise<Page<Issue>> {
    const list = new ListPage(issuesProjection, INSTALLATION, ownedBy(owner, filter), page);
    const { items, ...rest } = await this.queries.execute(list);
    return { ...rest, items: await this.views.all(items.map(({ id, row }) => toIssue(id, row))) };
  }
}

@QueryHandler(GetIssue)
export class GetIssueHandler implements IQueryHandler<GetIssue> {
  constructor(
    private readonly queries: QueryBus,
    private readonly views: IssueViews,
  ) {}

  async execute({ owner, issueId }: GetIssue): Promise<Issue> {
    return this.views.of(await issueOf(this.queries, owner, issueId));
  }
}

@CommandHandler(DismissIssue)
export class DismissIssueHandler implements ICommandHandler<DismissIssue> {
  constructor(
    private readonly queries: QueryBus,
    private readonly directory: IssueDirectory,
    private readonly views: IssueViews,
  ) {}

  async execute({ origin, owner, issueId }: DismissIssue): Promise<Issue> {
    const known = await issueOf(this.queries, owner, issueId);
    const place = { kind: known.kind, subjectId: known.subject.id };
    const command = (at: number) => ({ type: 'DismissIssue', at, issueId }) as const;
    const { state } = await this.directory.run(place, command, origin.envelope, origin.commandId);
    return this.views.of(state.latest?.id === issueId ? state.latest : known);
  }
}

function ownedBy(owner: IssueOwner, filter: Filter): Filter {
  if (owner === 'all') return filter;
  const own: Condition = { field: 'ofProject', op: 'eq', value: owner.projectId };
  return filter.length === 0 ? [[own]] : filter.map((conditions) => [own, ...conditions]);
}

async function issueOf(queries: QueryBus, owner: IssueOwner, issueId: string): Promise<Issue> {
  const found = isId('issue', issueId) ? await queries.execute(new GetRow(issuesProjection, INSTALLATION, issueId)) : null;
  if (!found || (owner !== 'all' && found.row.ofProject !== owner.projectId)) throw resourceMissing('issue');
  return toIssue(found.id, found.row);
}
