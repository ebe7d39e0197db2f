import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import { isLongerThan } from '@domain/kernel/code-points';
import { DomainError } from '@domain/kernel/domain-error';
import { toolTime } from './tool-times.js';

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];

/** Validates an agent's arguments: none of them is trusted before it is read through this. */
export class ToolArguments {
  private readonly members: Readonly<Record<string, unknown>>;

  /** Times without an offset are read in the zone. */
  constructor(
    args: unknown,
    private readonly timeZone = 'UTC',
  ) {
    this.members = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  }

  /** At most `longest` code points; refuses a missing or invalid text. */
  text(name: string, longest = MAX_TEXT_LENGTH): string {
    return this.optionalText(name, longest) ?? refuse(name, 'is required');
  }

  optionalText(name: string, longest = MAX_TEXT_LENGTH): string | null {
    const value = this.members[name];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return refuse(name, 'must be a text');
    if (value.trim() === '') return refuse(name, 'must not be blank');
    return isLongerThan(longest, value) ? refuse(name, `may have at most ${longest} characters`) : value;
  }

  instant(name: string): number {
    const time = toolTime(this.text(name), this.timeZone);
    return 'at' in time ? time.at : refuse(name, time.complaint);
  }

  wholeNumber(name: string, otherwise: number, most: number): number {
    const value = this.given(name);
    if (value === null) return otherwise;
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.0+)?$/.test(value));
    const number = isNumber ? Number(value) : Number.NaN;
    if (Number.isInteger(number) && number > 0 && number <= most) return number;
    return refuse(name, `must be a whole number from 1 to ${most}`);
  }

  flag(name: string): boolean {
    const value = this.given(name);
    if (value === null) return false;
    if (typeof value === 'boolean') return value;
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : '';
    return YES.includes(text) || (!NO.includes(text) && refuse(name, 'must be true or false'));
  }

  private given(name: string): unknown {
    const value = this.members[name];
    const bare = typeof value === 'string' ? value.trim() : value;
    return bare === undefined || bare === '' ? null : bare;
  }
}

function refuse(name: string, complaint: string): never {
  throw new DomainError('parameter_invalid', `${name} ${complaint}.`, { param: name });
}
