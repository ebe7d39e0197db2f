/** The leases of processes on one engine. A take-over after a crash takes `lastsMs`, plus one poll. */
export const LEASE_TIMES = {
  lastsMs: 6_000,
  renewedEveryMs: 2_000,
  /** The polling interval of a process that waits for a lease or for another process. */
  soughtEveryMs: 500,
} as const;
