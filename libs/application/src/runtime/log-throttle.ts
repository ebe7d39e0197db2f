import type { Clock } from '@ports/clock.port';
import { AppendOutcomeUnknown, isLoggedByEngine, StreamMovedOn } from '@ports/event-store.port';
import { failureReason, LOG_AGAIN_AFTER_MS } from '@ports/failure';

/** One line for each cause at first, then one a minute, and one on recovery. Server outages get none: the engine logs them. */
export class LogThrottle {
  private readonly loggedAt = new Map<string, number>();
  private owesRecovery = false;

  constructor(private readonly clock: Clock) {}

  shouldLog(error: unknown): boolean {
    if (isLoggedByEngine(error)) return false;
    const cause = causeOf(error);
    const now = this.clock.elapsed();
    for (const [known, at] of this.loggedAt) if (now - at >= LOG_AGAIN_AFTER_MS) this.loggedAt.delete(known);
    if (this.loggedAt.has(cause)) return false;
    this.loggedAt.set(cause, now);
    this.owesRecovery = true;
    return true;
  }

  /** True once after a failure was logged. */
  recovered(): boolean {
    const owed = this.owesRecovery;
    this.owesRecovery = false;
    return owed;
  }
}

/** These two errors name the stream in their message, but the cause is the same for every stream. */
function causeOf(error: unknown): string {
  return error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn ? error.name : failureReason(error);
}
