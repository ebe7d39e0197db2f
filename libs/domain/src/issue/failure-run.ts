import type { IssueCause } from './issue.events.js';

/** So many failures in a row are an alarm. */
const ALARMING_FAILURES = 3;

interface Alarm {
  /** When the last of the failures that make it an alarm was stored. */
  readonly at: number;
  /** When the first of them began. */
  readonly since: number;
  readonly countedBefore: number;
  readonly cause: IssueCause;
}

/** Failures of one subject, such as attempts to an endpoint, and how many of them are in a row. */
export interface FailureRun {
  readonly inARow: number;
  /** All that were ever seen. */
  readonly counted: number;
  readonly since: number | null;
  readonly lastAt: number | null;
  /** The latest, which may be over. */
  readonly alarm: Alarm | null;
  /** The success after the latest failures; null while there is none. */
  readonly overSince: number | null;
}

export const NO_FAILURES: FailureRun = { inARow: 0, counted: 0, since: null, lastAt: null, alarm: null, overSince: null };

export interface Failure {
  readonly at: number;
  readonly beganAt: number;
  readonly cause: IssueCause;
}

export function afterFailure(run: FailureRun, { at, beganAt, cause }: Failure): FailureRun {
  const inARow = run.inARow + 1;
  const since = run.inARow === 0 ? beganAt : (run.since ?? beganAt);
  const counted = run.counted + 1;
  const begun = { inARow, counted, since, lastAt: at };
  if (inARow !== ALARMING_FAILURES) return { ...run, ...begun };
  return { ...begun, alarm: { at, since, countedBefore: counted - inARow, cause }, overSince: null };
}

/** Without failures before it, the run itself. */
export function afterSuccess(run: FailureRun, at: number): FailureRun {
  if (run.inARow === 0) return run;
  return { ...run, inARow: 0, since: null, overSince: run.inARow < ALARMING_FAILURES ? run.overSince : at };
}

export function isAlarming({ inARow }: FailureRun): boolean {
  return inARow >= ALARMING_FAILURES;
}
