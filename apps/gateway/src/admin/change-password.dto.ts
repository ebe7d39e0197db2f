import { ChangeAdminPassword } from '@application/admin/admin.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { PasswordField } from './admin-fields.js';

export class ChangePasswordDto {
  @PasswordField() current_password!: string;
  @PasswordField({ min: PASSWORD_CHARACTERS.least }) new_password!: string;

  toCommand(context: RequestContext, sessionId: string): ChangeAdminPassword {
    return new ChangeAdminPassword(context, sessionId, this.current_password, this.new_password);
  }
}
