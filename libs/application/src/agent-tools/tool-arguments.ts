import { DomainError } from '@domain/kernel/domain-error';

const MOST_CHARACTERS = 1_000;

/** An agent's arguments to a tool: nothing in them is trusted before it is read through this. */
export class ToolArguments {
  private readonly members: Readonly<Record<string, unknown>>;

  constructor(args: unknown) {
    this.members = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  }

  /** A text; refuses when it is missing or no text. */
  text(name: string): string {
    return this.optionalText(name) ?? refuse(name, 'is required');
  }

  optionalText(name: string): string | null {
    const value = this.members[name];
    if (value === undefined || value === null || value === '') return null;
    return typeof value === 'string'
      ? [...value.toWellFormed()].slice(0, MOST_CHARACTERS).join('')
      : refuse(name, 'must be a text');
  }

  /** Epoch milliseconds of an ISO 8601 time with an offset. */
  instant(name: string): number {
    const text = this.text(name);
    const at = /(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? refuse(name, 'must be a time such as 2026-03-01T09:00:00Z') : at;
  }

  wholeNumber(name: string, otherwise: number, most: number): number {
    const value = this.members[name];
    if (value === undefined || value === null) return otherwise;
    return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most
      ? (value as number)
      : refuse(name, `must be a whole number from 1 to ${most}`);
  }

  flag(name: string): boolean {
    return this.members[name] === true;
  }
}

function refuse(name: string, complaint: string): never {
  throw new DomainError('parameter_invalid', `${name} ${complaint}.`, { param: name });
}
