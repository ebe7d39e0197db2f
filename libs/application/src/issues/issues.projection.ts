import type { Issue } from '@domain/issue/issue';
import { evolveIssue } from '@domain/issue/issue.decider';
import type { IssueEvent } from '@domain/issue/issue.events';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { Projection } from '../read-models/projection.js';
import { issueStream } from './issue-directory.js';

export interface IssueRow extends Omit<Issue, 'id' | 'projectId'> {
  /** The project whose issue it is; null for one of the installation. */
  readonly ofProject: string | null;
  readonly subjectId: string;
  /** When it was opened last; null once it is closed. */
  readonly unclosedSince: number | null;
}

/** Rows of all projects are in one list, the administrator's: a project's list is filtered by `ofProject`. */
export const issuesProjection: Projection<IssueEvent, IssueRow> = {
  schema: {
    name: 'issues',
    version: 1,
    filterFields: ['ofProject', 'status', 'kind', 'subjectId'],
    dueFields: ['unclosedSince'],
  },
  columns: {
    ofProject: { type: 'text', name: 'project_id', meaning: 'Whose issue it is; null for one of the installation.' },
    kind: { type: 'text', meaning: 'What is wrong.' },
    status: { type: 'text', meaning: 'Whether it still is.' },
    subject: { type: 'json', meaning: 'What it is about: `object` is the kind of thing, `id` names it.' },
    name: { type: 'text', name: 'subject_name', meaning: 'What people call its subject, such as the host of an endpoint.' },
    cause: { type: 'json', meaning: 'Why it was opened last: `code` for programs, `message` for people.' },
    count: { type: 'integer', meaning: 'How often it happened, as of its last event.' },
    firstSeenAt: { type: 'time', meaning: 'The first of what is counted.' },
    lastSeenAt: { type: 'time', meaning: 'The last of what is counted, as of its last event.' },
    openedAt: { type: 'time', meaning: 'When it was first opened.' },
    reopenedAt: { type: 'time', meaning: 'When it was opened again; null if it was opened once.' },
    dismissedAt: { type: 'time', meaning: 'When somebody wanted to hear no more of it; null where nobody did.' },
    closedAt: { type: 'time', meaning: 'When it was closed; null until then.' },
    subjectId: { leftOut: 'An index: `id` of `subject`.' },
    countedBefore: { leftOut: 'What was counted for the subject before, which the service subtracts.' },
    unclosedSince: { leftOut: 'An index: when it was opened last, while it is not closed.' },
  },
  idKind: 'issue',
  categories: ['issue'],
  rowIds: ({ event }) => ('issueId' in event ? [event.issueId] : []),
  begins: ({ event }) => event.type === 'IssueOpened' && !event.reopened,
  streamsOf: ({ kind, subjectId }) => [issueStream({ kind, subjectId })],
  project(before, { event }) {
    const issue = evolveIssue(before && toIssue(event.issueId, before.row), event);
    if (!issue) return null;
    const { id: _, projectId: ofProject, ...rest } = issue;
    const unclosedSince = issue.status === 'closed' ? null : (issue.reopenedAt ?? issue.openedAt);
    const row = { ...rest, ofProject, subjectId: issue.subject.id, unclosedSince };
    return { projectId: INSTALLATION, createdAt: issue.openedAt, deleted: false, row };
  },
};

export function toIssue(id: string, { ofProject: projectId, subjectId: _, unclosedSince: __, ...rest }: IssueRow): Issue {
  return { id, projectId, ...rest };
}
