import type { IssueCause, IssueDetails } from './issue.events.js';

export const ISSUE_STATUSES = ['open', 'dismissed', 'closed'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export interface Issue extends IssueDetails {
  readonly id: string;
  readonly status: IssueStatus;
  readonly cause: IssueCause;
  /** As of its last event: what is counted while it is open is in the rows of its subject. */
  readonly count: number;
  readonly countedBefore: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly openedAt: number;
  /** When it was opened again; null if it was opened once. */
  readonly reopenedAt: number | null;
  readonly dismissedAt: number | null;
  readonly closedAt: number | null;
}
