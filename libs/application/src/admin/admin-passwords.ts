import { Injectable } from '@nestjs/common';
import { adminPasswordDecider, type AdminPassword, type AdminPasswordEvent } from '@domain/admin/admin-password.decider';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { randomLetters } from '@domain/kernel/random-letters';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import type { CommandOrigin, RequestContext } from '../runtime/request-context.js';
import { timerRound } from '../runtime/timer-round.js';
import { findEvent } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { LoginAttempts } from './login-attempts.js';

const STREAM = 'admin-password';
const INVENTED_LETTERS = 24;

@Injectable()
export class AdminPasswords {
  constructor(
    private readonly streams: StreamRunner,
    private readonly attempts: LoginAttempts,
    private readonly secrets: Secrets,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  invent(): string {
    return randomLetters((count) => this.ids.bytes(count), INVENTED_LETTERS);
  }

  async now(): Promise<AdminPassword> {
    return (await this.streams.load(STREAM, adminPasswordDecider)).state;
  }

  /** Sets the first password, without a current one. */
  async set(password: string, envelope: Envelope): Promise<void> {
    const hash = await this.secrets.hashPassword(password);
    await this.streams.run(STREAM, adminPasswordDecider, this.command(hash, null), envelope);
  }

  /** Replaces a lost password by a random one, ends every session and lifts the lock-out. Null where there is no password yet. */
  async reset(): Promise<string | null> {
    const { hash } = await this.now();
    if (hash === null) return null;
    const password = this.invent();
    await this.set(password, timerRound(this.ids, 'reset-password'));
    await this.attempts.forget();
    return password;
  }

  /** Whether this is the password. Does not count as a login: only the operator may ask. */
  async isStored(password: string): Promise<boolean> {
    const { hash } = await this.now();
    return hash !== null && this.secrets.verifyPassword(password, hash);
  }

  /** Refuses with `admin_password_invalid`; `rate_limit_exceeded` while locked. */
  check(password: string): Promise<AdminPassword> {
    return this.attempts.guarded(null, () => this.proved(password, 'password'));
  }

  /** Returns the new password's generation; sessions of older ones end. Refuses like `check`. */
  async change(tokenHash: string, current: string, next: string, { commandId, envelope }: CommandOrigin): Promise<number> {
    const { hash: replacing } = await this.attempts.guarded(tokenHash, () => this.proved(current, 'current_password'));
    const command = { ...this.command(await this.secrets.hashPassword(next), replacing), commandId };
    return (await this.streams.run(STREAM, adminPasswordDecider, command, envelope)).state.generation;
  }

  async hasRun({ commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = (event: AdminPasswordEvent) => event.commandId === commandId;
    return (await findEvent(this.streams.history<AdminPasswordEvent>(STREAM, startedAt), isIt)) !== null;
  }

  private async proved(password: string, param: string): Promise<AdminPassword> {
    const present = await this.now();
    if (present.hash !== null && (await this.secrets.verifyPassword(password, present.hash))) return present;
    throw new DomainError('admin_password_invalid', 'The password is wrong.', { param });
  }

  private command(hash: string, replacing: string | null) {
    return { type: 'SetAdminPassword', at: this.clock.now(), hash, replacing } as const;
  }
}
