import type { FailureRun } from '@domain/issue/failure-run';
import { SAME_WITHIN_MS } from '@domain/issue/issue.decider';
import type { Cause } from './issue-rule.js';

type AlarmCause = Pick<Cause, 'cause' | 'since' | 'firstSeenAt' | 'lastSeenAt' | 'counted' | 'countedBefore'>;

/** The cause that the latest alarm is, unless it was over long before it was looked at. */
export function alarmOf({ alarm, overSince, counted, lastAt }: FailureRun, now: number): AlarmCause | null {
  if (!alarm || (overSince !== null && now - overSince > SAME_WITHIN_MS)) return null;
  const { at: since, since: firstSeenAt, cause, countedBefore } = alarm;
  return { cause, since, firstSeenAt, lastSeenAt: lastAt ?? since, counted, countedBefore };
}
