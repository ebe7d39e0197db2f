import { Injectable } from '@nestjs/common';
import { LOGIN_WINDOW_MS, lockedFor, stillCounting, type WrongLogins } from '@domain/admin/login-attempts';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { ExpiringRecords } from '@ports/expiring-records.port';

const RECORD = 'admin-wrong-logins';

/** The lock-out after too many wrong passwords, shared by every gateway. */
@Injectable()
export class LoginAttempts {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs a check of a password, one at a time. Each counts as wrong before it runs, so that guesses sent together
   * cannot outrun the count, and is struck off when it succeeds.
   */
  guarded<Proof>(check: () => Promise<Proof>): Promise<Proof> {
    const proof = this.last.then(() => this.counted(check));
    this.last = proof.catch(() => undefined);
    return proof;
  }

  private async counted<Proof>(check: () => Promise<Proof>): Promise<Proof> {
    const now = this.clock.now();
    await this.change((wrong) => {
      refuseIfLocked(wrong, now);
      return [...wrong, now];
    });
    try {
      const proof = await check();
      await this.strikeOff(now);
      return proof;
    } catch (error) {
      if (!(error instanceof DomainError)) await this.strikeOff(now);
      throw error;
    }
  }

  private strikeOff(at: number): Promise<void> {
    return this.change((wrong) => wrong.toSpliced(Math.max(wrong.lastIndexOf(at), 0), wrong.includes(at) ? 1 : 0));
  }

  private async change(next: (wrong: WrongLogins) => WrongLogins): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const record = await this.records.get(RECORD);
      const wrong = next(stillCounting(record ? (JSON.parse(record.value) as number[]) : [], now));
      const [value, expiresAt] = [JSON.stringify(wrong), now + LOGIN_WINDOW_MS] as const;
      if (record ? await this.records.replace(RECORD, record.version, value, expiresAt) : await this.begun(value, expiresAt))
        return;
    }
  }

  private async begun(value: string, expiresAt: number): Promise<boolean> {
    return (await this.records.create(RECORD, value, expiresAt)).created;
  }
}

function refuseIfLocked(wrong: WrongLogins, now: number): void {
  const wait = lockedFor(wrong, now);
  if (wait <= 0) return;
  throw new DomainError('rate_limit_exceeded', 'Too many wrong passwords. Wait before the next try.', {
    retryAfter: Math.ceil(wait / 1000),
  });
}
