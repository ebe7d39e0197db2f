import { Injectable } from '@nestjs/common';
import { LOGIN_WINDOW_MS, lockedFor, stillCounting, type WrongLogins } from '@domain/admin/wrong-logins';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { ExpiringRecords } from '@ports/expiring-records.port';

const WRONG_LOGINS = 'admin-wrong-logins';

/** Shared by all gateways. Each session has its own count, so that an attacker cannot lock the administrator out. */
@Injectable()
export class LoginAttempts {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts each check as wrong before it runs, so that concurrent guesses cannot outrun the count. For a login `tokenHash` is
   * null.
   */
  guarded<Proof>(tokenHash: string | null, check: () => Promise<Proof>): Promise<Proof> {
    const recordKey = tokenHash === null ? WRONG_LOGINS : `${WRONG_LOGINS}:${tokenHash}`;
    const proof = this.last.then(() => this.counted(recordKey, check));
    this.last = proof.catch(() => undefined);
    return proof;
  }

  /** Forgets the wrong logins so far, and with them the lock-out. */
  async forget(): Promise<void> {
    const record = await this.records.get(WRONG_LOGINS);
    if (record) await this.records.remove(WRONG_LOGINS, record.version);
  }

  private async counted<Proof>(recordKey: string, check: () => Promise<Proof>): Promise<Proof> {
    const now = this.clock.now();
    await this.change(recordKey, (wrong) => {
      refuseIfLocked(wrong, now);
      return [...wrong, now];
    });
    try {
      const proof = await check();
      await this.strikeOff(recordKey, now);
      return proof;
    } catch (error) {
      if (!(error instanceof DomainError)) await this.strikeOff(recordKey, now);
      throw error;
    }
  }

  private strikeOff(recordKey: string, at: number): Promise<void> {
    return this.change(recordKey, (wrong) => wrong.toSpliced(Math.max(wrong.lastIndexOf(at), 0), wrong.includes(at) ? 1 : 0));
  }

  private async change(recordKey: string, next: (wrong: WrongLogins) => WrongLogins): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const record = await this.records.get(recordKey);
      const wrong = next(stillCounting(record ? (JSON.parse(record.value) as number[]) : [], now));
      const [value, expiresAt] = [JSON.stringify(wrong), now + LOGIN_WINDOW_MS] as const;
      if (record === null) {
        if ((await this.records.create(recordKey, value, expiresAt)).created) return;
      } else if (await this.records.replace(recordKey, record.version, value, expiresAt)) return;
    }
  }
}

function refuseIfLocked(wrong: WrongLogins, now: number): void {
  const wait = lockedFor(wrong, now);
  if (wait <= 0) return;
  throw new DomainError('rate_limit_exceeded', 'Too many wrong passwords. Wait before the next try.', {
    retryAfter: Math.ceil(wait / 1000),
  });
}
