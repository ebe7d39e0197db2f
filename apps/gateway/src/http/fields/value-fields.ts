import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ianaSpelling, isIanaName } from '@application/appointments/time-zones';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { dateTimeOf } from '@domain/kernel/instant';
import { field, type FieldOptions } from './fields.js';
import { isAbsent, memberOf, rule, type Rule } from './rules.js';
import { amongChoices } from '../docs/among-choices.js';
import { isObject } from '../body/json-body.js';

export function InstantField({ required = false, ...about }: FieldOptions): PropertyDecorator {
  const isInstant = (value: unknown) => typeof value === 'string' && dateTimeOf(value) !== null;
  return field({ type: 'string', format: 'date-time', ...about }, required, [
    rule('parameter_invalid', isInstant, 'must be a time such as 2026-03-01T09:00:00Z'),
  ]);
}

/** `unless`: another member, beside which this one is not looked at. */
export function EnumField(
  choices: readonly string[],
  { required = false, unless, ...about }: FieldOptions & { readonly unless?: string },
): PropertyDecorator {
  const isIgnored = (body: object) => unless !== undefined && !isAbsent(memberOf(body, unless));
  const isChoice = (value: unknown, body: object) => isIgnored(body) || choices.includes(value as string);
  return field({ type: 'string', ...amongChoices(choices), ...about }, required, [
    rule('parameter_invalid', isChoice, `must be one of ${choices.join(', ')}`),
  ]);
}

const LARGEST_OF_32_BITS = 2 ** 31 - 1;

export function IntegerField(minimum: number, maximum: number, { required = false, ...about }: FieldOptions): PropertyDecorator {
  const isWithin = (value: unknown) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  const size = maximum > LARGEST_OF_32_BITS ? { format: 'int64' } : {};
  return field({ type: 'integer', ...size, minimum, maximum, ...about }, required, [
    rule('parameter_invalid', isWithin, `must be a whole number from ${minimum} to ${maximum}`),
  ]);
}

const DAY_SECONDS = 86_400;
export const USUAL_GRACE_SECONDS = DAY_SECONDS;

export function GraceField(description: string): PropertyDecorator {
  return IntegerField(0, 7 * DAY_SECONDS, { description });
}

/** In milliseconds; a day when absent. */
export function readGrace(seconds: number | null | undefined): number {
  return (seconds ?? USUAL_GRACE_SECONDS) * 1_000;
}

export function TextListField(
  most: number,
  items: { readonly schema: object; readonly judge: Rule },
  { required = false, ...about }: FieldOptions,
) {
  const { code, holds, complaint } = items.judge;
  const areTexts = (value: unknown) =>
    Array.isArray(value) && value.length <= most && value.every((each) => typeof each === 'string');
  const schema = { type: 'array', items: { type: 'string', ...items.schema }, maxItems: most, ...about } as ApiPropertyOptions;
  return field(schema, required, [
    rule('parameter_invalid', areTexts, `must be a list of at most ${most} texts`),
    rule(code, (value, body) => !Array.isArray(value) || value.every((each) => holds(each, body)), complaint),
  ]);
}

/** At least one. Accepts any texts: the command reports an unknown id. */
export function IdListField(kind: IdKind, most: number, about: FieldOptions): PropertyDecorator {
  const areTexts = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.length <= most && value.every((each) => typeof each === 'string');
  const items = { type: 'string', pattern: idPattern(kind) };
  const schema = { type: 'array', items, minItems: 1, maxItems: most, ...about } as ApiPropertyOptions;
  return field(schema, false, [rule('parameter_invalid', areTexts, `must be a list of 1 to ${most} ids`)]);
}

/** `objectionTo` returns why a value is refused, as the end of the error message, or null if it is valid. */
export function ObjectField(
  schema: ApiPropertyOptions,
  objectionTo: (value: object) => string | null = () => null,
): PropertyDecorator {
  const complaint = (value: unknown) => (isObject(value) ? objectionTo(value) : 'must be an object');
  return field(schema, false, [
    rule(
      'parameter_invalid',
      (value) => complaint(value) === null,
      (value) => complaint(value) ?? '',
    ),
  ]);
}

/** `readZone` gives the IANA spelling. */
export function ZoneField(about: FieldOptions): PropertyDecorator {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isKnown = (value: unknown) => isText(value) && isIanaName(value);
  return field({ type: 'string', format: 'time-zone', example: 'Europe/Berlin', ...about }, false, [
    rule('parameter_invalid', isText, 'must be a text'),
    rule('time_range_invalid', isKnown, 'must be an IANA time zone'),
  ]);
}

export function readZone(name: string | null | undefined): string | null {
  return isAbsent(name) ? null : ianaSpelling(name as string);
}

export function readInstant(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : (dateTimeOf(text) ?? undefined);
}
