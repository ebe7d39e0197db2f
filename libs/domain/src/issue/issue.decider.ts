import { type Decider, unchanged } from '../kernel/decider.js';
import type { Issue } from './issue.js';
import type { IssueCause, IssueDetails, IssueEvent } from './issue.events.js';

/** How long its cause must have been over. */
export const CLOSES_AFTER_MS = 60_000;
/** A cause that comes again within this time is the same issue; a closing within it is not posted either. */
export const SAME_WITHIN_MS = 600_000;

/** The issues of one kind and subject, of which only the latest may be open. */
export interface SubjectIssues {
  readonly latest: Issue | null;
  /** Since when the cause of the last closed issue was over; null before the first was closed. */
  readonly overSince: number | null;
  /** What was counted up to the last closing. */
  readonly counted: number;
  readonly lastEventAt: number;
}

export type IssueCommand =
  | ({
      readonly type: 'OpenIssue';
      readonly at: number;
      readonly issueId: string;
      readonly cause: IssueCause;
      /** When the condition of its kind was met. A cause that was over before the last closing opens nothing. */
      readonly since: number;
      readonly firstSeenAt: number;
      readonly lastSeenAt: number;
      /** What was counted for the subject so far; null for kinds that count their openings. */
      readonly counted: number | null;
      /** What of it was counted before this cause; null where that is what was counted up to the last closing. */
      readonly countedBefore: number | null;
    } & IssueDetails)
  | {
      readonly type: 'CloseIssue';
      readonly at: number;
      readonly overSince: number;
      readonly lastSeenAt: number;
      readonly counted: number | null;
    }
  | { readonly type: 'DismissIssue'; readonly at: number; readonly issueId: string };

export const issueDecider: Decider<SubjectIssues, IssueCommand, IssueEvent> = {
  initial: { latest: null, overSince: null, counted: 0, lastEventAt: 0 },
  decide(command, state) {
    const at = Math.max(command.at, state.lastEventAt);
    switch (command.type) {
      case 'OpenIssue':
        return open(command, state, at);
      case 'CloseIssue':
        return close(command, state.latest, at);
      case 'DismissIssue': {
        const { issueId } = command;
        const isOpen = state.latest?.id === issueId && state.latest.status === 'open';
        return isOpen ? [{ type: 'IssueDismissed', at, issueId }] : [];
      }
    }
  },
  evolve(state, event) {
    const { latest } = state;
    const { at } = event;
    switch (event.type) {
      case 'IssueOpened':
        return { ...state, latest: evolveIssue(latest, event), lastEventAt: at };
      case 'IssueClosed': {
        const counted = (latest?.countedBefore ?? 0) + event.count;
        return { latest: evolveIssue(latest, event), overSince: event.overSince, counted, lastEventAt: at };
      }
      case 'IssueDismissed':
        return { ...state, latest: evolveIssue(latest, event), lastEventAt: at };
      default:
        return unchanged(state, event);
    }
  },
};

type Command<Type extends IssueCommand['type']> = Extract<IssueCommand, { type: Type }>;
type Opened = Extract<IssueEvent, { type: 'IssueOpened' }>;

/** The issue after its event; an event of another one begins it. */
export function evolveIssue(issue: Issue | null, event: IssueEvent): Issue | null {
  if (event.type === 'IssueOpened') return opened(issue?.id === event.issueId ? issue : null, event);
  if (!issue) return null;
  const { at } = event;
  switch (event.type) {
    case 'IssueClosed': {
      const { count, lastSeenAt } = event;
      return { ...issue, status: 'closed', closedAt: at, count, lastSeenAt };
    }
    case 'IssueDismissed':
      return { ...issue, status: 'dismissed', dismissedAt: at };
    default:
      return unchanged(issue, event);
  }
}

function opened(before: Issue | null, event: Opened): Issue {
  const { at, issueId: id, kind, projectId, subject, name, cause, count, countedBefore, firstSeenAt, lastSeenAt } = event;
  const times = before ? { openedAt: before.openedAt, reopenedAt: at } : { openedAt: at, reopenedAt: null };
  const shown = { id, kind, projectId, subject, name, cause, count, countedBefore, firstSeenAt, lastSeenAt };
  return { ...shown, ...times, status: 'open', dismissedAt: null, closedAt: null };
}

function open(command: Command<'OpenIssue'>, { latest, overSince, counted }: SubjectIssues, at: number): IssueEvent[] {
  if (latest && latest.status !== 'closed') return [];
  const { since } = command;
  if (overSince !== null && since <= overSince) return [];
  const same = latest && isSame(latest, since) ? latest : null;
  const countedBefore = same ? same.countedBefore : (command.countedBefore ?? (command.counted === null ? 0 : counted));
  const { projectId, kind, subject, name, cause, lastSeenAt } = command;
  return [
    {
      type: 'IssueOpened',
      at,
      issueId: same?.id ?? command.issueId,
      projectId,
      kind,
      subject,
      name,
      cause,
      firstSeenAt: same?.firstSeenAt ?? command.firstSeenAt,
      lastSeenAt,
      count: command.counted === null ? (same?.count ?? 0) + 1 : command.counted - countedBefore,
      countedBefore,
      reopened: same !== null,
      posted: same === null,
    },
  ];
}

/** What comes after a dismissed issue is a new one. */
function isSame({ dismissedAt, closedAt }: Issue, since: number): boolean {
  return dismissedAt === null && closedAt !== null && since - closedAt <= SAME_WITHIN_MS;
}

function close(command: Command<'CloseIssue'>, latest: Issue | null, at: number): IssueEvent[] {
  const { overSince, lastSeenAt, counted } = command;
  if (!latest || latest.status === 'closed' || command.at - overSince < CLOSES_AFTER_MS) return [];
  const { id: issueId, status, reopenedAt, countedBefore } = latest;
  const count = counted === null ? latest.count : counted - countedBefore;
  const isQuiet = reopenedAt !== null && at - reopenedAt <= SAME_WITHIN_MS;
  return [{ type: 'IssueClosed', at, issueId, overSince, lastSeenAt, count, posted: status === 'open' && !isQuiet }];
}
