import { isLongerThan } from '@domain/kernel/code-points';
import { SCOPES } from '@domain/project/scope';
import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { atMost, field, type FieldOptions } from '../http/fields/fields.js';
import { rule } from '../http/fields/rules.js';

export const NAME = { max: MAX_TEXT_LENGTH, description: 'What people call it.' };

export function ProseField({ max, ...about }: FieldOptions & { readonly max: number }): PropertyDecorator {
  return field({ type: 'string', maxLength: max, ...about }, false, [
    rule('parameter_invalid', (value) => typeof value === 'string', 'must be a text'),
    atMost(max),
  ]);
}

export function ScopesField(about: FieldOptions): PropertyDecorator {
  const known: ReadonlySet<unknown> = new Set(SCOPES);
  const areSome = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((one) => known.has(one));
  const items = { type: 'string' as const, enum: [...SCOPES] };
  return field({ type: 'array', items, minItems: 1, ...about } as never, false, [
    rule('parameter_invalid', areSome, `must be a list of some of ${SCOPES.join(', ')}`),
  ]);
}

export function PasswordField({ min = 1, ...about }: FieldOptions & { readonly min?: number }): PropertyDecorator {
  const max = PASSWORD_CHARACTERS.most;
  const isEnough = (value: unknown) => typeof value === 'string' && isLongerThan(min - 1, value);
  return field({ type: 'string', format: 'password', minLength: min, maxLength: max, ...about }, true, [
    rule('parameter_invalid', isEnough, `must be a text of at least ${min} characters`),
    atMost(max),
  ]);
}
