import type { Decider } from '../kernel/decider.js';
import { DomainError } from '../kernel/domain-error.js';

export type AdminPasswordEvent = {
  readonly type: 'AdminPasswordSet';
  readonly at: number;
  readonly hash: string;
  /** Absent for the first password. */
  readonly commandId?: string;
};

export interface AdminPassword {
  /** Null before the first start. */
  readonly hash: string | null;
  /** The number of passwords set so far; a session is valid only for the generation it began with. */
  readonly generation: number;
  readonly setAt: number;
}

export type AdminPasswordCommand = {
  readonly type: 'SetAdminPassword';
  readonly at: number;
  readonly hash: string;
  /** The hash against which the present password was verified; null if none had to be. */
  readonly replacing: string | null;
  readonly commandId?: string;
};

export const adminPasswordDecider: Decider<AdminPassword, AdminPasswordCommand, AdminPasswordEvent> = {
  initial: { hash: null, generation: 0, setAt: 0 },
  decide({ at, hash, replacing, commandId }, password) {
    if (replacing !== null && replacing !== password.hash) {
      throw new DomainError('admin_password_invalid', 'The password was changed meanwhile.', { param: 'current_password' });
    }
    return [{ type: 'AdminPasswordSet', at: Math.max(at, password.setAt), hash, ...(commandId !== undefined && { commandId }) }];
  },
  evolve(password, event) {
    if (event.type !== 'AdminPasswordSet') return password;
    return { hash: event.hash, generation: password.generation + 1, setAt: event.at };
  },
};
