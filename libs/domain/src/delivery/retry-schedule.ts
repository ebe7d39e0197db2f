/** When attempts are made (specification, Retry schedule). */
export interface RetrySchedule {
  /** Wait before each attempt in milliseconds, the first included; its length is the number of attempts. */
  readonly waits: readonly number[];
  /** `gap`: counted from the end of the attempt before. `offset`: from the start of the first attempt. */
  readonly mode: 'gap' | 'offset';
  /** Largest share added to a wait by chance. */
  readonly jitter: number;
}
