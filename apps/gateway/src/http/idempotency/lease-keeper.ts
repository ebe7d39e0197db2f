import { Clock } from '@ports/clock.port';

const RENEW_EVERY_MS = 3_000;

/** Something held for a while that must be told that it is still wanted. */
export interface Lease {
  readonly heldSince: number;
  /** Whether it is still wanted. */
  readonly isHeld: boolean;
  renew(): Promise<void>;
}

/** Renews the leases of this process with one timer for all of them, and none while there are none. */
export class LeaseKeeper {
  private ticking = false;

  constructor(
    private readonly clock: Clock,
    private readonly leases: () => readonly Lease[],
  ) {}

  /** To be called when there is one more. */
  watch(): void {
    if (!this.ticking) this.tickLater();
  }

  private tickLater(): void {
    this.ticking = true;
    this.clock.after(RENEW_EVERY_MS, () => this.tick());
  }

  private tick(): void {
    const young = this.clock.now() - RENEW_EVERY_MS / 2;
    const leases = this.leases();
    for (const lease of leases) if (lease.isHeld && lease.heldSince <= young) void lease.renew();
    if (leases.length > 0) this.tickLater();
    else this.ticking = false;
  }
}
