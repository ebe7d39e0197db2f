import { issueOpened as opened } from '@testing/issue-events';
import { specFor } from '@testing/decider-spec';
import { issueDecider, type IssueCommand } from './issue.decider.js';
import type { IssueEvent } from './issue.events.js';

const { given } = specFor(issueDecider);

const M = 60_000;
const DETAILS = {
  projectId: 'prj_1',
  kind: 'endpoint_failing',
  subject: { object: 'webhook_endpoint', id: 'we_1' },
  name: 'api.client.example',
} as const;
const CAUSE = { code: 'timeout', message: 'The receiver did not answer in time.' };

type Open = Extract<IssueCommand, { type: 'OpenIssue' }>;

function open(at: number, changes: Partial<Open> = {}): Open {
  const seen = { since: at, firstSeenAt: at - 5_000, lastSeenAt: at, counted: 3, countedBefore: 0 };
  return { type: 'OpenIssue', at, issueId: 'iss_1', cause: CAUSE, ...DETAILS, ...seen, ...changes };
}
const close = (at: number, overSince: number, counted: number | null = 5): IssueCommand => ({
  type: 'CloseIssue',
  at,
  overSince,
  lastSeenAt: overSince - 1_000,
  counted,
});
const closed = (at: number, overSince: number, changes: object = {}): IssueEvent => ({
  type: 'IssueClosed',
  at,
  issueId: 'iss_1',
  overSince,
  lastSeenAt: overSince - 1_000,
  count: 5,
  posted: true,
  ...changes,
});
const dismiss = (at: number, issueId = 'iss_1'): IssueCommand => ({ type: 'DismissIssue', at, issueId });
const dismissed = (at: number): IssueEvent => ({ type: 'IssueDismissed', at, issueId: 'iss_1' });

describe('an issue', () => {
  it('opens with its cause, and tells the operator', () =>
    given()
      .when(open(10 * M))
      .then(opened(10 * M)));
  it('is one for its kind and subject', () =>
    given(opened(10 * M))
      .when(open(11 * M, { issueId: 'iss_2' }))
      .thenNothing());
  it('does not close before its cause was over for a minute', () =>
    given(opened(10 * M))
      .when(close(12 * M - 1, 11 * M))
      .thenNothing());
  it('closes once its cause was over for a minute, with what was counted', () =>
    given(opened(10 * M))
      .when(close(12 * M, 11 * M))
      .then(closed(12 * M, 11 * M)));
  it('closes once', () =>
    given(opened(10 * M), closed(12 * M, 11 * M))
      .when(close(13 * M, 11 * M))
      .thenNothing());
  it('does not open for a cause that was over before it closed', () =>
    given(opened(10 * M), closed(12 * M, 11 * M))
      .when(open(13 * M, { since: 11 * M }))
      .thenNothing());
  it('opens for a cause that came between the end of the one before and the closing', () =>
    given(opened(10 * M), closed(12 * M, 11 * M))
      .when(open(13 * M, { since: 11 * M + 1, counted: 9, countedBefore: 5 }))
      .then(opened(13 * M, { firstSeenAt: 10 * M - 5_000, count: 9, reopened: true, posted: false })));
});

describe('an issue whose cause comes again', () => {
  const before = [opened(10 * M), closed(12 * M, 11 * M)] as const;
  const again = opened(22 * M, { firstSeenAt: 10 * M - 5_000, count: 9, reopened: true, posted: false });

  it('within ten minutes is the same, opened again, and not posted', () =>
    given(...before)
      .when(open(22 * M, { issueId: 'iss_2', counted: 9, countedBefore: 6 }))
      .then(again));
  it('later is a new one, and posted', () =>
    given(...before)
      .when(open(22 * M + 1, { issueId: 'iss_2', counted: 9, countedBefore: 6 }))
      .then(opened(22 * M + 1, { issueId: 'iss_2', count: 3, countedBefore: 6 })));
  it('closes unposted within ten minutes of that opening', () =>
    given(...before, again)
      .when(close(32 * M, 31 * M, 12))
      .then(closed(32 * M, 31 * M, { count: 12, posted: false })));
  it('closes posted after ten minutes of that opening', () =>
    given(...before, again)
      .when(close(32 * M + 1, 31 * M, 12))
      .then(closed(32 * M + 1, 31 * M, { count: 12 })));
});

describe('a dismissed issue', () => {
  it('is dismissed once', () =>
    given(opened(10 * M))
      .when(dismiss(11 * M), dismiss(12 * M))
      .then(dismissed(11 * M)));
  it('is not another one', () =>
    given(opened(10 * M))
      .when(dismiss(11 * M, 'iss_0'))
      .thenNothing());
  it('is not dismissed once closed', () =>
    given(opened(10 * M), closed(12 * M, 11 * M))
      .when(dismiss(13 * M))
      .thenNothing());
  it('stays one while its cause goes on', () =>
    given(opened(10 * M), dismissed(11 * M))
      .when(open(12 * M))
      .thenNothing());
  it('closes silently with its cause', () =>
    given(opened(10 * M), dismissed(11 * M))
      .when(close(13 * M, 12 * M))
      .then(closed(13 * M, 12 * M, { posted: false })));
  it('is followed by a new one, posted, also within ten minutes', () =>
    given(opened(10 * M), dismissed(11 * M), closed(13 * M, 12 * M, { posted: false }))
      .when(open(14 * M, { issueId: 'iss_2', counted: 8, countedBefore: 5 }))
      .then(opened(14 * M, { issueId: 'iss_2', countedBefore: 5 })));
});

describe('the count of an issue', () => {
  it('begins where that of the one before ended, if the cause does not say where', () =>
    given(opened(10 * M), closed(12 * M, 11 * M))
      .when(open(40 * M, { issueId: 'iss_2', counted: 6, countedBefore: null }))
      .then(opened(40 * M, { issueId: 'iss_2', count: 1, countedBefore: 5 })));
  it('is that of its openings, where nothing else is counted', () =>
    given(opened(10 * M, { count: 1 }), closed(12 * M, 11 * M, { count: 1 }))
      .when(open(13 * M, { counted: null, countedBefore: null }), close(15 * M, 14 * M, null))
      .then(
        opened(13 * M, { firstSeenAt: 10 * M - 5_000, count: 2, reopened: true, posted: false }),
        closed(15 * M, 14 * M, { count: 2, posted: false }),
      ));
});
