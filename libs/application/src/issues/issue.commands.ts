import { Command, Query } from '@nestjs/cqrs';
import type { Issue } from '@domain/issue/issue';
import type { Filter } from '@ports/read-models.port';
import type { Page, PageRequest } from '../paging/page.js';
import type { CommandOrigin } from '../runtime/request-context.js';

/** Whose issues: those of a project, or of all projects and the installation. */
export type IssueOwner = { readonly projectId: string } | 'all';

export class ListIssues extends Query<Page<Issue>> {
  constructor(
    readonly owner: IssueOwner,
    readonly filter: Filter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** Rejects with `resource_missing`, as `DismissIssue` does. */
export class GetIssue extends Query<Issue> {
  constructor(
    readonly owner: IssueOwner,
    readonly issueId: string,
  ) {
    super();
  }
}

/** A dismissed or closed one stays as it is. */
export class DismissIssue extends Command<Issue> {
  constructor(
    readonly origin: CommandOrigin,
    readonly owner: IssueOwner,
    readonly issueId: string,
  ) {
    super();
  }
}
