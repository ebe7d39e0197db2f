export interface Limits {
  readonly maxAppendBytes: number;
  readonly maxEventBytes?: number;
  /** The read speed of a subscription; unlimited when absent. */
  readonly eventsPerSecond?: number;
}

export const LIMITS: Readonly<Record<'22.10' | '26', Limits>>;
