/** The times of a delivery's attempts (specification, Retry schedule). */
export interface RetrySchedule {
  /**
   * The wait before each attempt in milliseconds, the first included; the array's length is the number of attempts.
   */
  readonly waits: readonly number[];
  /** `gap` counts a wait from the end of the previous attempt, `offset` from the start of the first attempt. */
  readonly mode: 'gap' | 'offset';
  /** The largest share of a wait that is added to it as jitter (see `nextStep`). */
  readonly jitter: number;
}

/**
 * The wait before an attempt. An attempt beyond the schedule (its delivery was scheduled under a longer one) waits as
 * long as the last.
 */
export function waitBefore({ waits }: RetrySchedule, attempt: number): number {
  return waits[attempt - 1] ?? waits.at(-1) ?? 0;
}
