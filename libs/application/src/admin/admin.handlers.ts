import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AdminPasswords } from './admin-passwords.js';
import { AdminSessions, type OpenedSession } from './admin-sessions.js';
import { ChangeAdminPassword, LogIn, LogOut } from './admin.commands.js';

@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly passwords: AdminPasswords,
    private readonly sessions: AdminSessions,
  ) {}

  async execute({ password }: LogIn): Promise<OpenedSession> {
    const { generation } = await this.passwords.check(password);
    return this.sessions.open(generation);
  }
}

@CommandHandler(LogOut)
export class LogOutHandler implements ICommandHandler<LogOut> {
  constructor(private readonly sessions: AdminSessions) {}

  execute({ tokenHash }: LogOut): Promise<void> {
    return this.sessions.close(tokenHash);
  }
}

@CommandHandler(ChangeAdminPassword)
export class ChangeAdminPasswordHandler implements ICommandHandler<ChangeAdminPassword> {
  constructor(
    private readonly passwords: AdminPasswords,
    private readonly sessions: AdminSessions,
  ) {}

  async execute({ context, tokenHash, current, next }: ChangeAdminPassword): Promise<void> {
    if (context.isRetry && (await this.passwords.hasRun(context))) return;
    await this.sessions.carryOver(tokenHash, await this.passwords.change(tokenHash, current, next, context));
  }
}
