import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams/streams.module.js';
import { AdminPasswords } from './admin-passwords.js';
import { AdminSessions } from './admin-sessions.js';
import { ChangeAdminPasswordHandler, LogInHandler, LogOutHandler } from './admin.handlers.js';
import { LoginAttempts } from './login-attempts.js';

@Module({
  imports: [StreamsModule],
  providers: [LoginAttempts, AdminPasswords, AdminSessions, LogInHandler, LogOutHandler, ChangeAdminPasswordHandler],
  exports: [AdminPasswords, AdminSessions],
})
export class AdminModule {}
