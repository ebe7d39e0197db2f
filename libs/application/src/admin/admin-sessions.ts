import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { randomLetters } from '@domain/kernel/random-letters';
import { Clock } from '@ports/clock.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { AdminPasswords } from './admin-passwords.js';

export const SESSION_LIFE_MS = 12 * 60 * 60_000;
const TOKEN_PREFIX = 'adm_';
const TOKEN_LETTERS = 43;

export interface AdminSession {
  /** Names the session, and opens nothing. */
  readonly id: string;
  /** The key of the stored session: the token itself is not stored. */
  readonly tokenHash: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
}

/** The token is returned only here. */
export interface OpenedSession extends AdminSession {
  readonly token: string;
}

/** Sessions last 12 h, survive restarts and end when the password changes. */
@Injectable()
export class AdminSessions {
  constructor(
    private readonly passwords: AdminPasswords,
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async open(generation: number): Promise<OpenedSession> {
    const token = TOKEN_PREFIX + randomLetters((count) => this.ids.bytes(count), TOKEN_LETTERS);
    const expiresAt = this.clock.now() + SESSION_LIFE_MS;
    const tokenHash = this.secrets.hash(token);
    await this.records.create(recordOf(tokenHash), String(generation), expiresAt);
    return { token, ...this.sessionOf(token, tokenHash, expiresAt) };
  }

  /** Refuses with `admin_session_invalid` when the session is unknown or has ended. */
  async find(token: string | null): Promise<AdminSession> {
    if (!token?.startsWith(TOKEN_PREFIX)) throw noSession();
    const tokenHash = this.secrets.hash(token);
    const record = await this.records.get(recordOf(tokenHash));
    if (!record) throw noSession();
    const { generation } = await this.passwords.now();
    if (record.value !== String(generation)) throw noSession();
    return this.sessionOf(token, tokenHash, record.expiresAt);
  }

  async close(tokenHash: string): Promise<void> {
    const record = await this.records.get(recordOf(tokenHash));
    if (record) await this.records.remove(recordOf(tokenHash), record.version);
  }

  /** Keeps one session valid across a change of the password. */
  async carryOver(tokenHash: string, generation: number): Promise<void> {
    const record = await this.records.get(recordOf(tokenHash));
    if (record) await this.records.replace(recordOf(tokenHash), record.version, String(generation), record.expiresAt);
  }

  isCsrfToken(token: string, text: string): boolean {
    return this.secrets.equal(this.csrfToken(token), text);
  }

  private sessionOf(token: string, tokenHash: string, expiresAt: number): AdminSession {
    const id = this.ids.derived('adminSession', expiresAt - SESSION_LIFE_MS, tokenHash);
    return { id, tokenHash, csrfToken: this.csrfToken(token), expiresAt };
  }

  private csrfToken(token: string): string {
    return this.secrets.keyedHash('admin csrf', token);
  }
}

function recordOf(tokenHash: string): string {
  return `admin-session:${tokenHash}`;
}

function noSession(): DomainError {
  return new DomainError('admin_session_invalid', 'Log in first: this session is missing, unknown or over.');
}
