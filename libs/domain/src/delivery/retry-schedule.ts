export interface RetrySchedule {
  /** The wait before each attempt in milliseconds, including the first; its length is the number of attempts. */
  readonly waits: readonly number[];
  /** `gap` counts a wait from the end of the previous attempt, `offset` from the start of the first. */
  readonly mode: 'gap' | 'offset';
  /** The largest share of a wait to add as jitter (see `nextStep`). */
  readonly jitter: number;
}

/** An attempt beyond the schedule (its delivery was scheduled under a longer one) waits as long as the last. */
export function waitBefore({ waits }: RetrySchedule, attempt: number): number {
  return waits[attempt - 1] ?? waits.at(-1) ?? 0;
}
