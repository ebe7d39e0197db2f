/** When attempts are made (specification, Retry schedule). */
export interface RetrySchedule {
  /** Wait before each attempt in milliseconds, the first included; its length is the number of attempts. */
  readonly waits: readonly number[];
  /** `gap`: counted from the end of the attempt before. `offset`: from the start of the first attempt. */
  readonly mode: 'gap' | 'offset';
  /** Largest share added to a wait (see `nextStep`). */
  readonly jitter: number;
}

/** The wait before an attempt. One beyond the schedule, of a delivery scheduled under a longer one, waits as long as the last. */
export function waitBefore({ waits }: RetrySchedule, attempt: number): number {
  return waits[attempt - 1] ?? waits.at(-1) ?? 0;
}
