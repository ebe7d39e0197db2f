import { SCOPES } from '@domain/project/scope';
import { decorated, isLongerThan, rule, type FieldOptions } from '../http/fields.js';
import { instantOf } from '../http/instant.js';

const MOST_PASSWORD_CHARACTERS = 1_024;

/** Null is a value of its own here: it takes back what was set. */
const isUnset = (value: unknown): boolean => value === undefined || value === null;

/** A whole number within bounds, or null. */
export function WholeNumberField({ min, max, ...about }: FieldOptions & { readonly min: number; readonly max: number }) {
  const holds = (value: unknown) => isUnset(value) || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max);
  return decorated({ type: 'integer', minimum: min, maximum: max, nullable: true, ...about, required: false }, [
    rule('parameter_invalid', holds, `must be a whole number from ${min} to ${max}`),
  ]);
}

/** An instant in ISO 8601 with its offset, or null. */
export function InstantField(about: FieldOptions = {}): PropertyDecorator {
  const holds = (value: unknown) => isUnset(value) || (typeof value === 'string' && instantOf(value) !== null);
  return decorated({ type: 'string', format: 'date-time', nullable: true, ...about, required: false }, [
    rule('parameter_invalid', holds, 'must be a time such as 2026-03-01T09:00:00Z'),
  ]);
}

/** A text that may be empty, or null. */
export function ProseField({ max, ...about }: FieldOptions & { readonly max: number }): PropertyDecorator {
  const fits = (value: unknown) => typeof value !== 'string' || !isLongerThan(max, value);
  return decorated({ type: 'string', maxLength: max, nullable: true, ...about, required: false }, [
    rule('parameter_invalid', (value) => isUnset(value) || typeof value === 'string', 'must be a text'),
    rule('parameter_too_long', fits, `may have at most ${max} characters`),
  ]);
}

/** Some of the scopes there are. */
export function ScopesField(about: FieldOptions = {}): PropertyDecorator {
  const known: ReadonlySet<unknown> = new Set(SCOPES);
  const isSome = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((one) => known.has(one));
  const items = { type: 'string' as const, enum: [...SCOPES] };
  return decorated({ type: 'array', items, minItems: 1, nullable: true, ...about, required: false }, [
    rule('parameter_invalid', (value) => isUnset(value) || isSome(value), `must be a list of some of ${SCOPES.join(', ')}`),
  ]);
}

/** A password of at least `min` characters. */
export function PasswordField({ min = 1, ...about }: FieldOptions & { readonly min?: number } = {}): PropertyDecorator {
  const max = MOST_PASSWORD_CHARACTERS;
  const isEnough = (value: unknown) => typeof value === 'string' && isLongerThan(min - 1, value);
  const fits = (value: unknown) => typeof value !== 'string' || !isLongerThan(max, value);
  return decorated({ type: 'string', format: 'password', minLength: min, maxLength: max, ...about, required: true }, [
    rule('parameter_missing', (value) => !isUnset(value) && value !== '', 'is required'),
    rule('parameter_invalid', isEnough, `must be a text of at least ${min} characters`),
    rule('parameter_too_long', fits, `may have at most ${max} characters`),
  ]);
}
