/** The leases by which processes on one engine tell who lives. A take-over after a crash takes `lastsMs`, and a look more. */
export const LEASE_TIMES = {
  lastsMs: 6_000,
  renewedEveryMs: 2_000,
  /** How often a process that waits for a lease, or for another process, looks again. */
  soughtEveryMs: 500,
} as const;
