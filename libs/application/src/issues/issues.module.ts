import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams/streams.module.js';
import { IssueDirectory } from './issue-directory.js';
import { IssueTallies } from './issue-tallies.js';
import { IssueViews } from './issue-views.js';
import { OpenIssues } from './open-issues.js';
import { DismissIssueHandler, GetIssueHandler, ListIssuesHandler } from './issue.handlers.js';

/** Reading and dismissing issues; they are judged by `IssueJudgeModule`. */
@Module({
  imports: [StreamsModule],
  providers: [IssueDirectory, IssueTallies, IssueViews, OpenIssues, ListIssuesHandler, GetIssueHandler, DismissIssueHandler],
  exports: [IssueDirectory, IssueTallies, OpenIssues],
})
export class IssuesModule {}
