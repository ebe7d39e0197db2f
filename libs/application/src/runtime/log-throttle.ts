import type { Clock } from '@ports/clock.port';
import { AppendOutcomeUnknown, isLoggedByEngine, StreamMovedOn } from '@ports/event-store.port';
import { failureReason, TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/**
 * Throttles the log lines about a failure that repeats: one line for each cause at first, then one a minute, and one on recovery.
 * The outage of a server has no lines here, since the engine logs it.
 */
export class LogThrottle {
  /** When each cause was last logged, as `Clock.elapsed` counts. */
  private readonly loggedAt = new Map<string, number>();
  private owesRecovery = false;

  constructor(private readonly clock: Clock) {}

  /** Whether this failure gets a line in the log. */
  shouldLog(error: unknown): boolean {
    if (isLoggedByEngine(error)) return false;
    const cause = causeOf(error);
    const now = this.clock.elapsed();
    for (const [known, at] of this.loggedAt) if (now - at >= TOLD_AGAIN_AFTER_MS) this.loggedAt.delete(known);
    if (this.loggedAt.has(cause)) return false;
    this.loggedAt.set(cause, now);
    this.owesRecovery = true;
    return true;
  }

  /** Whether this success gets a line: true once after a failure was logged. */
  recovered(): boolean {
    const owed = this.owesRecovery;
    this.owesRecovery = false;
    return owed;
  }
}

/** These two errors name the stream in their message, and the cause is the same for every stream. */
function causeOf(error: unknown): string {
  return error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn ? error.name : failureReason(error);
}
