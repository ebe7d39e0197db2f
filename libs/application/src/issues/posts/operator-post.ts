import type { IssueEvent } from '@domain/issue/issue.events';
import type { Position, Recorded, Revision } from '@ports/event-store.port';

const MINUTE_MS = 60_000;
/** From the first try on. */
const TRIED_AFTER_MS = [0, 1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);

/** A post that the operator's webhook is still to get: an issue opened or closed. */
export interface OperatorPost {
  readonly issueId: string;
  readonly what: 'opened' | 'closed';
  /** The event of which it tells. */
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly tries: number;
  readonly firstTriedAt: number | null;
  readonly dueAt: number;
}

/** The name of the post in `webhook-id`. */
export function nameOfPost({ issueId, what }: OperatorPost): string {
  return `${issueId}.${what}`;
}

/** Null for an event that is not posted to the operator. */
export function postOf({ event, stream, revision, position }: Recorded<IssueEvent>): OperatorPost | null {
  if ((event.type !== 'IssueOpened' && event.type !== 'IssueClosed') || !event.posted) return null;
  const what = event.type === 'IssueOpened' ? 'opened' : 'closed';
  return { issueId: event.issueId, what, stream, revision, position, tries: 0, firstTriedAt: null, dueAt: event.at };
}

/** Those that may be sent now: of one issue only the first, so that a closing never overtakes its opening. */
export function duePosts(waiting: readonly OperatorPost[], now: number, most: number): readonly OperatorPost[] {
  const begun = new Set<string>();
  const isFirst = ({ issueId }: OperatorPost) => !begun.has(issueId) && begun.add(issueId);
  return waiting
    .filter(isFirst)
    .filter(({ dueAt }) => dueAt <= now)
    .slice(0, most);
}

/** After a try at `now` that failed; null after the last. A time that was missed is not made up for within a minute. */
export function triedPost(post: OperatorPost, now: number): OperatorPost | null {
  const tries = post.tries + 1;
  const after = TRIED_AFTER_MS[tries];
  if (after === undefined) return null;
  const firstTriedAt = post.firstTriedAt ?? now;
  return { ...post, tries, firstTriedAt, dueAt: Math.max(firstTriedAt + after, now + MINUTE_MS) };
}
