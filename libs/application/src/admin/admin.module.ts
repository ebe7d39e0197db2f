import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams.module.js';
import { AdminPasswords } from './admin-passwords.js';
import { LoginAttempts } from './login-attempts.js';

@Module({
  imports: [StreamsModule],
  providers: [LoginAttempts, AdminPasswords],
  exports: [AdminPasswords],
})
export class AdminModule {}
