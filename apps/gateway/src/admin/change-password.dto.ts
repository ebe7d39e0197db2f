import { ChangeAdminPassword } from '@application/admin/admin.commands';
import { PasswordField } from './admin-fields.js';

const LEAST_CHARACTERS = 12;

export class ChangePasswordDto {
  @PasswordField() current_password!: string;
  @PasswordField({ min: LEAST_CHARACTERS }) new_password!: string;

  toCommand(sessionId: string): ChangeAdminPassword {
    return new ChangeAdminPassword(sessionId, this.current_password, this.new_password);
  }
}
