import { Injectable } from '@nestjs/common';
import type { AuditedRequest } from '@domain/audit/audit.events';
import { LogThrottle } from '@application/runtime/log-throttle';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { Clock } from '@ports/clock.port';

const PER_MINUTE = 60;
const AT_ONCE = 600;
const MINUTE_MS = 60_000;
/** The lock-out bounds these by itself, and none of them may hide behind others. */
const WRONG_PASSWORD = 'admin_password_invalid';
const LEFT_OUT = new Error('refused requests without a session are left out of the audit log: there are too many');

/** Refusals of requests without a session, which anyone who reaches the port can cause: so many have an entry that the disk stays free. */
@Injectable()
export class StrangerEntries {
  private tokens = AT_ONCE;
  private filledAt: number;
  private leftOut = 0;
  private readonly throttle: LogThrottle;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.filledAt = clock.elapsed();
    this.throttle = new LogThrottle(clock);
    const help = 'Refused requests without an admin session that have no entry in the audit log, because there were too many.';
    metrics.counter('audit_entries_left_out_total', help, () => this.leftOut);
  }

  /** Whether this request has an entry. */
  takes({ sessionId, code }: AuditedRequest): boolean {
    if (sessionId !== null || code === null || code === WRONG_PASSWORD) return true;
    const now = this.clock.elapsed();
    this.tokens = Math.min(AT_ONCE, this.tokens + ((now - this.filledAt) * PER_MINUTE) / MINUTE_MS);
    this.filledAt = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return true;
    }
    this.leftOut += 1;
    if (this.throttle.shouldLog(LEFT_OUT)) this.logger.warn(LEFT_OUT.message);
    return false;
  }
}
