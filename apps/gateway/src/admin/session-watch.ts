import { Injectable } from '@nestjs/common';
import { AdminSessions } from '@application/admin/admin-sessions';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';

/** Logouts and changed passwords of other processes are seen only by looking. */
const LOOK_EVERY_MS = 3_000;

type Ended = () => void;

/** Calls back when a session has ended, at most 5 s later. Looks once for all callbacks of a session. */
@Injectable()
export class SessionWatch {
  private readonly watched = new Map<string, Set<Ended>>();
  private isLooking = false;

  constructor(
    private readonly sessions: AdminSessions,
    private readonly clock: Clock,
  ) {}

  /** Calls back at most once. Returns how to stop watching. */
  watch(token: string, ended: Ended): () => void {
    const own = this.watched.get(token) ?? new Set();
    this.watched.set(token, own.add(ended));
    this.lookLater();
    return () => {
      if (own.delete(ended) && own.size === 0 && this.watched.get(token) === own) this.watched.delete(token);
    };
  }

  private lookLater(): void {
    if (this.isLooking || this.watched.size === 0) return;
    this.isLooking = true;
    this.clock.after(LOOK_EVERY_MS, () => {
      this.isLooking = false;
      for (const token of this.watched.keys()) void this.look(token);
      this.lookLater();
    });
  }

  private async look(token: string): Promise<void> {
    if (!(await this.hasEnded(token))) return;
    const own = this.watched.get(token);
    this.watched.delete(token);
    for (const ended of own ?? []) ended();
  }

  /** While the store does not answer, nothing is known. */
  private async hasEnded(token: string): Promise<boolean> {
    try {
      await this.sessions.find(token);
      return false;
    } catch (error) {
      return error instanceof DomainError && error.code === 'admin_session_invalid';
    }
  }
}
