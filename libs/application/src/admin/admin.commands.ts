import { Command } from '@nestjs/cqrs';
import type { RequestContext } from '../runtime/request-context.js';
import type { OpenedSession } from './admin-sessions.js';

/** Refuses with `admin_password_invalid`, or `rate_limit_exceeded` after too many wrong passwords. */
export class LogIn extends Command<OpenedSession> {
  constructor(readonly password: string) {
    super();
  }
}

export class LogOut extends Command<void> {
  constructor(readonly tokenHash: string) {
    super();
  }
}

/** Sets a new password and ends every other session. */
export class ChangeAdminPassword extends Command<void> {
  constructor(
    readonly context: RequestContext,
    readonly tokenHash: string,
    readonly current: string,
    readonly next: string,
  ) {
    super();
  }
}
