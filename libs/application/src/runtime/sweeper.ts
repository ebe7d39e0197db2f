/** Work that time makes due, found by looking now and then. */
export interface Sweeper {
  readonly name: string;
  /** The pause between the end of one sweep and the start of the next. The first runs at once. */
  readonly everyMs: number;
  /** Must be harmless when done again or cut short. Stops early when the signal aborts. */
  sweep(now: number, signal: AbortSignal): Promise<void>;
}
