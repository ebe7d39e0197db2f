import { LogIn } from '@application/admin/admin.commands';
import { PasswordField } from './admin-fields.js';

export class LoginDto {
  @PasswordField({ description: "The administrator's password." }) password!: string;

  toCommand(): LogIn {
    return new LogIn(this.password);
  }
}
