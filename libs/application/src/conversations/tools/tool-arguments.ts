import { LONGEST_TEXT } from '@domain/kernel/text-bounds';
import { isLongerThan } from '@domain/kernel/code-points';
import { DomainError } from '@domain/kernel/domain-error';
import { dateTimeOf } from '@domain/kernel/instant';

/** An agent's arguments to a tool: nothing in them is trusted before it is read through this. */
export class ToolArguments {
  private readonly members: Readonly<Record<string, unknown>>;

  constructor(args: unknown) {
    this.members = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  }

  /** A text of at most so many code points; refuses when it is missing or no such text. */
  text(name: string, longest = LONGEST_TEXT): string {
    return this.optionalText(name, longest) ?? refuse(name, 'is required');
  }

  optionalText(name: string, longest = LONGEST_TEXT): string | null {
    const value = this.members[name];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return refuse(name, 'must be a text');
    if (value.trim() === '') return refuse(name, 'must not be blank');
    return isLongerThan(longest, value) ? refuse(name, `may have at most ${longest} characters`) : value;
  }

  /** Epoch milliseconds of an ISO 8601 time with an offset. */
  instant(name: string): number {
    return dateTimeOf(this.text(name)) ?? refuse(name, 'must be a time such as 2026-03-01T09:00:00Z');
  }

  wholeNumber(name: string, otherwise: number, most: number): number {
    const value = this.members[name];
    if (value === undefined || value === null) return otherwise;
    return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most
      ? (value as number)
      : refuse(name, `must be a whole number from 1 to ${most}`);
  }

  flag(name: string): boolean {
    const value = this.members[name];
    if (value === undefined || value === null) return false;
    return typeof value === 'boolean' ? value : refuse(name, 'must be true or false');
  }
}

function refuse(name: string, complaint: string): never {
  throw new DomainError('parameter_invalid', `${name} ${complaint}.`, { param: name });
}
