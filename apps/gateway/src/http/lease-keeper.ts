import { InFlight } from '@domain/kernel/in-flight';
import { Clock } from '@ports/clock.port';

const RENEW_EVERY_MS = 3_000;

/** Something held for a while that must be told that it is still wanted. */
export interface Lease {
  /** One lease of a name is held at a time. */
  readonly recordKey: string;
  readonly heldSince: number;
  renew(): Promise<void>;
}

/** Renews the leases of this process with one timer for all of them, and none while there are none. */
export class LeaseKeeper {
  private readonly held = new InFlight<string, Lease>();
  private ticking = false;

  constructor(private readonly clock: Clock) {}

  keep(lease: Lease): void {
    this.held.set(lease.recordKey, lease);
    if (!this.ticking) this.tickLater();
  }

  letGo(lease: Lease): void {
    if (this.held.get(lease.recordKey) === lease) this.held.delete(lease.recordKey);
  }

  private tickLater(): void {
    this.ticking = true;
    this.clock.after(RENEW_EVERY_MS, () => this.tick());
  }

  private tick(): void {
    const young = this.clock.now() - RENEW_EVERY_MS / 2;
    for (const lease of this.held.values()) if (lease.heldSince <= young) void lease.renew();
    if (this.held.size > 0) this.tickLater();
    else this.ticking = false;
  }
}
