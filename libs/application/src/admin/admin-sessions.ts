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

/** A valid session. */
export interface AdminSession {
  /** The hash of the token; the token itself is not stored. */
  readonly id: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
}

/** A new session; its token is returned only here. */
export interface OpenedSession extends AdminSession {
  readonly token: string;
}

/** Sessions of the administrator. They last 12 h, survive restarts and end when the password changes. */
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
    const id = this.secrets.hash(token);
    await this.records.create(recordOf(id), String(generation), expiresAt);
    return { id, token, csrfToken: this.csrfToken(token), expiresAt };
  }

  /** The session of a token. Refuses with `admin_session_invalid` when it is unknown or has ended. */
  async find(token: string | null): Promise<AdminSession> {
    if (!token?.startsWith(TOKEN_PREFIX)) throw noSession();
    const id = this.secrets.hash(token);
    const record = await this.records.get(recordOf(id));
    if (!record) throw noSession();
    const { generation } = await this.passwords.now();
    if (record.value !== String(generation)) throw noSession();
    return { id, csrfToken: this.csrfToken(token), expiresAt: record.expiresAt };
  }

  async close(sessionId: string): Promise<void> {
    const record = await this.records.get(recordOf(sessionId));
    if (record) await this.records.remove(recordOf(sessionId), record.version);
  }

  /** Keeps one session valid across a change of the password. */
  async carryOver(sessionId: string, generation: number): Promise<void> {
    const record = await this.records.get(recordOf(sessionId));
    if (record) await this.records.replace(recordOf(sessionId), record.version, String(generation), record.expiresAt);
  }

  /** Whether `text` is the CSRF token of this session token. */
  isCsrfToken(token: string, text: string): boolean {
    return this.secrets.equal(this.csrfToken(token), text);
  }

  private csrfToken(token: string): string {
    return this.secrets.keyedHash('admin csrf', token);
  }
}

function recordOf(sessionId: string): string {
  return `admin-session:${sessionId}`;
}

function noSession(): DomainError {
  return new DomainError('admin_session_invalid', 'Log in first: this session is missing, unknown or over.');
}
