import { ChangeAdminPassword } from '@application/admin/admin.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { PasswordField } from './admin-fields.js';

export class ChangePasswordDto {
  @PasswordField({ description: 'The password so far.' }) current_password!: string;
  @PasswordField({ description: 'The password from now on; every other session ends.', min: PASSWORD_CHARACTERS.least })
  new_password!: string;

  toCommand(context: RequestContext, tokenHash: string): ChangeAdminPassword {
    return new ChangeAdminPassword(context, tokenHash, this.current_password, this.new_password);
  }
}
