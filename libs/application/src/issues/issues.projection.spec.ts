import type { IssueEvent } from '@domain/issue/issue.events';
import { START } from '@ports/event-store.port';
import { issueOpened } from '@testing/issue-events';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { ProjectedRow } from '../read-models/projection.js';
import { issuesProjection, type IssueRow } from './issues.projection.js';

function rowAfter(...events: readonly IssueEvent[]): ProjectedRow<IssueRow> | null {
  return events.reduce<ProjectedRow<IssueRow> | null>((before, event, revision) => {
    const record = { id: 'id', stream: 'issue-endpoint_failing-we_1', revision, position: START, event };
    return issuesProjection.project(before, record, 'iss_1') ?? before;
  }, null);
}

const closed: IssueEvent = {
  type: 'IssueClosed',
  at: 90,
  issueId: 'iss_1',
  overSince: 30,
  lastSeenAt: 20,
  count: 7,
  posted: true,
};

describe('the row of an issue', () => {
  it("is in the administrator's list, and bears its project and subject", () =>
    expect(rowAfter(issueOpened(10))).toMatchObject({
      projectId: INSTALLATION,
      createdAt: 10,
      row: { ofProject: 'prj_1', subjectId: 'we_1', status: 'open', unclosedSince: 10 },
    }));
  it('is judged no more once it is closed', () =>
    expect(rowAfter(issueOpened(10), closed)?.row).toMatchObject({
      status: 'closed',
      count: 7,
      closedAt: 90,
      unclosedSince: null,
    }));
  it('is judged until it is closed, also if it was dismissed', () => {
    const dismissed: IssueEvent = { type: 'IssueDismissed', at: 20, issueId: 'iss_1' };
    expect(rowAfter(issueOpened(10), dismissed)?.row).toMatchObject({ status: 'dismissed', unclosedSince: 10 });
    expect(rowAfter(issueOpened(10), dismissed, closed)?.row).toMatchObject({ status: 'closed', unclosedSince: null });
  });
  it('stays the same row when it is opened again', () => {
    const again = issueOpened(100, { reopened: true, count: 8 });
    expect(rowAfter(issueOpened(10), closed, again)).toMatchObject({
      createdAt: 10,
      row: { status: 'open', count: 8, closedAt: null, unclosedSince: 100 },
    });
    const record = { id: 'id', stream: 's', revision: 2, position: START };
    expect([issueOpened(10), again].map((event) => issuesProjection.begins({ ...record, event }))).toEqual([true, false]);
  });
});
