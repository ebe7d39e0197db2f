import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ianaSpelling, isIanaName } from '@application/appointments/time-zones';
import { dateTimeOf } from '@domain/kernel/instant';
import { field, type FieldOptions } from './fields.js';
import { isAbsent, rule, type Rule } from './rules.js';
import { isObject } from '../body/json-body.js';

/** A time: ISO 8601 with an offset. */
export function InstantField({ required = false, ...about }: FieldOptions): PropertyDecorator {
  const isInstant = (value: unknown) => typeof value === 'string' && dateTimeOf(value) !== null;
  return field({ type: 'string', format: 'date-time', ...about }, required, [
    rule('parameter_invalid', isInstant, 'must be a time such as 2026-03-01T09:00:00Z'),
  ]);
}

/** One of these words. */
export function EnumField(choices: readonly string[], { required = false, ...about }: FieldOptions): PropertyDecorator {
  return field({ type: 'string', enum: [...choices], ...about }, required, [
    rule('parameter_invalid', (value) => choices.includes(value as string), `must be one of ${choices.join(', ')}`),
  ]);
}

const LARGEST_OF_32_BITS = 2 ** 31 - 1;

/** A whole number within bounds. */
export function IntegerField(minimum: number, maximum: number, { required = false, ...about }: FieldOptions): PropertyDecorator {
  const isWithin = (value: unknown) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  const size = maximum > LARGEST_OF_32_BITS ? { format: 'int64' } : {};
  return field({ type: 'integer', ...size, minimum, maximum, ...about }, required, [
    rule('parameter_invalid', isWithin, `must be a whole number from ${minimum} to ${maximum}`),
  ]);
}

const DAY_SECONDS = 86_400;
export const USUAL_GRACE_SECONDS = DAY_SECONDS;

/** A grace period: for how many seconds a rotated secret stays valid beside the new one. */
export function GraceField(description: string): PropertyDecorator {
  return IntegerField(0, 7 * DAY_SECONDS, { description });
}

/** A validated grace period in milliseconds; a day when absent. */
export function readGrace(seconds: number | null | undefined): number {
  return (seconds ?? USUAL_GRACE_SECONDS) * 1_000;
}

/** A list of at most `most` texts, each with this schema and rule. */
export function TextListField(most: number, items: { readonly schema: object; readonly judge: Rule }, about: FieldOptions) {
  const { code, holds, complaint } = items.judge;
  const areTexts = (value: unknown) =>
    Array.isArray(value) && value.length <= most && value.every((each) => typeof each === 'string');
  const schema = { type: 'array', items: { type: 'string', ...items.schema }, maxItems: most, ...about } as ApiPropertyOptions;
  return field(schema, false, [
    rule('parameter_invalid', areTexts, `must be a list of at most ${most} texts`),
    rule(code, (value, body) => !Array.isArray(value) || value.every((each) => holds(each, body)), complaint),
  ]);
}

/** An object. `objectionTo` returns what is wrong with its members, as the end of a sentence about it, or null. */
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

/** A time zone of the IANA database; `readZone` gives its spelling there. */
export function ZoneField(about: FieldOptions): PropertyDecorator {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isKnown = (value: unknown) => isText(value) && isIanaName(value);
  return field({ type: 'string', format: 'time-zone', example: 'Europe/Berlin', ...about }, false, [
    rule('parameter_invalid', isText, 'must be a text'),
    rule('time_range_invalid', isKnown, 'must be an IANA time zone'),
  ]);
}

/** A validated zone in the spelling of the IANA database; null when absent. */
export function readZone(name: string | null | undefined): string | null {
  return isAbsent(name) ? null : ianaSpelling(name as string);
}

/** A validated time in epoch milliseconds; undefined when absent. */
export function readInstant(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : (dateTimeOf(text) ?? undefined);
}
