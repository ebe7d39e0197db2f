/** How far apart the clocks of two processes, and of a process and the log, may be, in milliseconds. */
export const SKEW_MS = 2_000;
