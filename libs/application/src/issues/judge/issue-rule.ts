import type { Issue } from '@domain/issue/issue';
import type { IssueCause } from '@domain/issue/issue.events';

/** What may open an issue. */
export interface Cause {
  readonly subjectId: string;
  readonly projectId: string | null;
  readonly cause: IssueCause;
  /** When the condition of the kind was met; tells one occurrence from the next. */
  readonly since: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** As in `OpenIssue`. */
  readonly counted: number | null;
  readonly countedBefore: number | null;
  /** What people call the subject; null when it is gone, so that nothing is opened. */
  readonly name: () => Promise<string | null>;
}

/** One kind of issue: when it opens, and since when its cause is over. Asked again and again, so it must be cheap. */
export abstract class IssueRule {
  /** Whether this process can judge it while another one hosts the reactors, or none can. */
  readonly needsNoHost: boolean = false;

  /** Causes that began lately or go on; also those that are over, for some minutes. */
  abstract causes(now: number): Promise<readonly Cause[]>;

  /** Since when the cause of an open issue is over; null while it lasts, or where that is not known. */
  abstract overSince(issue: Issue, now: number): Promise<number | null>;
}
