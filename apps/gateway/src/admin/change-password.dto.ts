import { ChangeAdminPassword } from '@application/admin/admin.commands';
import type { Origin } from '@application/origin';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { PasswordField } from './admin-fields.js';

export class ChangePasswordDto {
  @PasswordField() current_password!: string;
  @PasswordField({ min: PASSWORD_CHARACTERS.least }) new_password!: string;

  toCommand(origin: Origin, sessionId: string): ChangeAdminPassword {
    return new ChangeAdminPassword(origin, sessionId, this.current_password, this.new_password);
  }
}
