/** What a server takes and how fast it is. */
export interface Limits {
  readonly maxAppendBytes: number;
  readonly maxEventBytes?: number;
  /** How fast a subscription reads what is in the log; without limit when absent. */
  readonly eventsPerSecond?: number;
}

/** The defaults of servers, by the first version that has them. */
export const LIMITS: Readonly<Record<'22.10' | '26', Limits>>;
