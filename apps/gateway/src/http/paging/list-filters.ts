import { DomainError, type ErrorCode } from '@domain/kernel/domain-error';
import { ID_PREFIXES, type IdKind } from '@domain/kernel/ids';
import { instantOf, isFinerThanRead } from '@domain/kernel/instant';
import type { Condition, Filter } from '@ports/read-models.port';
import { amongChoices } from '../docs/among-choices.js';
import { EMAIL_PATTERN, keptEmail, MAX_EMAIL_CHARACTERS } from '../fields/email.js';
import { PHONE_COMPLAINT, PHONE_PATTERN, isPhone } from '../fields/fields.js';

export type Query = Readonly<Record<string, unknown>>;

export type FilterParameter = {
  readonly description: string;
  /** Warnings about the parameter's value, as ends of sentences. */
  readonly warningsOf?: (value: unknown) => readonly string[];
} &
  /** Four parameters: `<name>[gte|gt|lte|lt]`. */
  (
    | { readonly kind: 'range'; readonly field: string }
    | {
        readonly kind: 'text';
        readonly schema: Readonly<Record<string, unknown>>;
        readonly read: (text: string) => Filter;
      }
  );

export type Filters = Readonly<Record<string, FilterParameter>>;

const OPERATORS = ['gte', 'gt', 'lte', 'lt'] as const;
export const RANGE_OPERATORS: readonly string[] = OPERATORS;
/** Operators for a bound truncated to milliseconds: a row equal to the truncated bound lies before the true one. */
const OF_CUT_DOWN = { gte: 'gt', gt: 'gt', lte: 'lte', lt: 'lte' } as const;

/** The description is the beginning of a sentence: "Only calls that began". */
export function timeRange(description: string, field: string): FilterParameter {
  return { kind: 'range', description, field };
}

export function exactly(description: string, field: string): FilterParameter {
  return { kind: 'text', schema: { type: 'string' }, description, read: (value) => [[{ field, op: 'eq', value }]] };
}

/** An id of another kind is refused; an unknown id matches nothing. */
export function idOf(kind: IdKind, description: string, field: string): FilterParameter {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return {
    kind: 'text',
    schema: { type: 'string', pattern: `^${prefix}` },
    description,
    read: (value) =>
      value.startsWith(prefix)
        ? [[{ field, op: 'eq', value }]]
        : refuse('parameter_invalid', `must be an id that begins with ${prefix}`),
  };
}

export function oneOf(description: string, field: string, choices: readonly string[]): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'string', ...amongChoices(choices) },
    description,
    read: (value) =>
      choices.includes(value)
        ? [[{ field, op: 'eq', value }]]
        : refuse('parameter_invalid', `must be one of ${choices.join(', ')}`),
  };
}

export function severalOf(description: string, field: string, choices: readonly string[]): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'string', pattern: `^(${choices.join('|')})(,(${choices.join('|')}))*$` },
    description,
    read: (text) => {
      const value = text.split(',');
      const known = value.every((each) => choices.includes(each));
      return known
        ? [[{ field, op: 'in', value }]]
        : refuse('parameter_invalid', `takes ${choices.join(', ')}, separated by commas`);
    },
  };
}

export function anyOf(description: string, field: string): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'string' },
    description: `${description}; several are separated by commas.`,
    read: (text) => [[{ field, op: 'in', value: text.split(',') }]],
  };
}

/** A query string decodes a bare plus sign to a space, which is undone here. */
export function phoneIs(field: string): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'string', pattern: PHONE_PATTERN },
    description: 'Only the customer with this phone number in E.164 format; its plus sign may be sent as `%2B` or `+`.',
    read: (text) => {
      const value = text.replace(/^ /, '+');
      return isPhone(value) ? [[{ field, op: 'eq', value }]] : refuse('phone_invalid_format', PHONE_COMPLAINT);
    },
  };
}

/** Matches the address in its stored spelling. Fails with `email_invalid_format`. */
export function emailIs(field: string): FilterParameter {
  return {
    kind: 'text',
    schema: { type: 'string', pattern: EMAIL_PATTERN, maxLength: MAX_EMAIL_CHARACTERS },
    description: 'Only the customer with this e-mail address, in whatever case.',
    read: (text) => {
      const value = keptEmail(text);
      return value === null ? refuse('email_invalid_format', 'must be an e-mail address') : [[{ field, op: 'eq', value }]];
    },
  };
}

/** A complaint about a parameter, without its name. */
class BadValue extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The complaint becomes a sentence behind the parameter's name. */
export function refuse(code: ErrorCode, message: string): never {
  throw new BadValue(code, message);
}

export function readFilter(query: Query, filters: Filters): Filter {
  let all: Filter = [];
  for (const [name, parameter] of Object.entries(filters)) {
    const value = query[name];
    if (value !== undefined) all = both(all, readParameter(name, parameter, value));
  }
  return all;
}

function readParameter(name: string, parameter: FilterParameter, value: unknown): Filter {
  if (parameter.kind === 'range') return [readRange(name, value, parameter.field)];
  try {
    return typeof value === 'string' ? parameter.read(value) : refuse('parameter_invalid', 'must be given once');
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new DomainError(error.code, `${name} ${error.message}.`, { param: name });
  }
}

/** The bounds that `<name>[gte|gt|lte|lt]` set. Throws `parameter_invalid`. */
export function readRange(name: string, value: unknown, field: string): Condition[] {
  const bounds = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]];
  return bounds.map(([operator, text]) => {
    const op = OPERATORS.find((one) => one === operator);
    const time = typeof text === 'string' ? text : '';
    const at = instantOf(time);
    if (op && at !== null) return { field, op: isFinerThanRead(time) ? OF_CUT_DOWN[op] : op, value: at };
    const message = `${name} takes ${OPERATORS.map((one) => `${name}[${one}]`).join(', ')} with times such as 2026-03-01T09:00:00Z.`;
    throw new DomainError('parameter_invalid', message, { param: name });
  });
}

/** The conjunction of two filters in disjunctive normal form. */
function both(left: Filter, right: Filter): Filter {
  if (left.length === 0) return right;
  return left.flatMap((one) => right.map((other) => [...one, ...other]));
}

/** False when absent. Throws `parameter_invalid`. */
export function readFlag(query: Query, name: string): boolean {
  const value = query[name];
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new DomainError('parameter_invalid', `${name} must be true or false.`, { param: name });
}
