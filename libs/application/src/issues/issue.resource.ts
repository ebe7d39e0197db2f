import { ISSUE_KINDS, titleOf } from '@domain/issue/issue-kinds';
import type { Issue } from '@domain/issue/issue';
import { toTime } from '../read-models/time.resource.js';

/** How an issue looks in answers and in posts to the operator. */
export function toIssueResource(issue: Issue) {
  const { id, kind, status, projectId, subject, name, cause, count, firstSeenAt, lastSeenAt, closedAt } = issue;
  return {
    id,
    object: 'issue' as const,
    kind,
    status,
    project_id: projectId,
    subject: { object: subject.object, id: subject.id },
    title: titleOf(kind, name),
    cause: { code: cause.code, message: cause.message },
    what_to_do: ISSUE_KINDS[kind].whatToDo,
    count,
    first_seen_at: toTime(firstSeenAt),
    last_seen_at: toTime(lastSeenAt),
    closed_at: toTime(closedAt),
    closed_by: closedAt === null ? null : ('resolved' as const),
  };
}
