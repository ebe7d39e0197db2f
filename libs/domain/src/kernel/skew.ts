/** How far the clocks of processes and the log may differ. */
export const SKEW_MS = 2_000;
