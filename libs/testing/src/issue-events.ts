import type { IssueEvent } from '@domain/issue/issue.events';

/** An endpoint that fails, opened at this time. */
export function issueOpened(
  at: number,
  changes: Partial<Extract<IssueEvent, { type: 'IssueOpened' }>> = {},
): Extract<IssueEvent, { type: 'IssueOpened' }> {
  return {
    type: 'IssueOpened',
    at,
    issueId: 'iss_1',
    projectId: 'prj_1',
    kind: 'endpoint_failing',
    subject: { object: 'webhook_endpoint', id: 'we_1' },
    name: 'api.client.example',
    cause: { code: 'timeout', message: 'The receiver did not answer in time.' },
    firstSeenAt: at - 5_000,
    lastSeenAt: at,
    count: 3,
    countedBefore: 0,
    reopened: false,
    posted: true,
    ...changes,
  };
}
