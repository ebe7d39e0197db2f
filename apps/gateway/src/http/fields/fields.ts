import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { isLongerThan } from '@domain/kernel/code-points';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { idPattern, type IdKind } from '@domain/kernel/ids';
import { isObject } from '../body/json-body.js';
import { METADATA_BOUNDS, MetadataText, type MetadataProblem } from '../body/metadata-text.js';
import { EMAIL_PATTERN, keptEmail, MAX_EMAIL_CHARACTERS } from './email.js';
import { isAbsent, rule, withRules, type Rule } from './rules.js';

export interface FieldOptions {
  /** Units, format, and the default if left out. */
  readonly description: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

export interface PatternOptions extends FieldOptions {
  readonly max: number;
  readonly complaint: string;
}

const MAX_ID_LENGTH = 255;
export const PHONE_COMPLAINT = 'must be a phone number in E.164 format, such as +4915112345678';
export const PHONE_PATTERN = '^\\+[1-9][0-9]{1,14}$';
const PHONE = new RegExp(PHONE_PATTERN);

export const isPhone = (value: unknown): boolean => typeof value === 'string' && PHONE.test(value);

export function TextField({ max, required = false, ...about }: FieldOptions & { readonly max: number }): PropertyDecorator {
  return field({ type: 'string', minLength: 1, maxLength: max, ...about }, required, textRules(max, required));
}

/** Accepts any text: the command reports an unknown id. */
export function IdField(kind: IdKind, about: FieldOptions): PropertyDecorator {
  return field({ type: 'string', pattern: idPattern(kind), ...about }, false, textRules(MAX_ID_LENGTH, false));
}

export function PatternField(pattern: string, code: ErrorCode, { max, required = false, complaint, ...about }: PatternOptions) {
  const form = new RegExp(pattern, 'u');
  const hasForm = (value: unknown) => typeof value === 'string' && form.test(value);
  const rules = [...textRules(max, required), rule(code, hasForm, complaint)];
  return field({ type: 'string', pattern, maxLength: max, ...about }, required, rules);
}

function textRules(max: number, required: boolean): readonly Rule[] {
  return [
    ...(required ? [] : [rule('parameter_invalid', (value) => value !== '', 'must not be empty')]),
    rule('parameter_invalid', (value) => typeof value === 'string', 'must be a text'),
    atMost(max),
  ];
}

export function atMost(max: number): Rule {
  const fits = (value: unknown) => typeof value !== 'string' || !isLongerThan(max, value);
  return rule('parameter_too_long', fits, `may have at most ${max} characters`);
}

export function PhoneField(about: FieldOptions): PropertyDecorator {
  return field({ type: 'string', pattern: PHONE_PATTERN, ...about }, false, [
    rule('phone_invalid_format', isPhone, PHONE_COMPLAINT),
  ]);
}

/** `readEmail` gives the form that is stored. */
export function EmailField(about: FieldOptions): PropertyDecorator {
  return field({ type: 'string', pattern: EMAIL_PATTERN, maxLength: MAX_EMAIL_CHARACTERS, ...about }, false, [
    rule('email_invalid_format', (value) => typeof value === 'string' && keptEmail(value) !== null, 'must be an e-mail address'),
  ]);
}

export function readEmail(text: string): string {
  return keptEmail(text) ?? text;
}

export function FlagField(about: FieldOptions): PropertyDecorator {
  return field({ type: 'boolean', ...about }, false, [
    rule('parameter_invalid', (value) => typeof value === 'boolean', 'must be true or false'),
  ]);
}

export function MetadataField(about: FieldOptions): PropertyDecorator {
  return published(openObject(about), [
    rule(
      'metadata_invalid',
      (value) => !['not_an_object', 'too_deep', 'lone_surrogate'].includes(problemOf(value) ?? ''),
      complaintOf,
    ),
    rule('metadata_too_large', (value) => problemOf(value) !== 'too_large', complaintOf),
  ]);
}

function openObject(about: FieldOptions): ApiPropertyOptions {
  const { example = { channel: 'web' } } = about;
  const description = `${ABOUT_METADATA} ${about.description}`;
  return { type: 'object', additionalProperties: true, selfRequired: false, nullable: true, description, example };
}

const ABOUT_METADATA = `A free-form object, given back as it was sent; at most ${METADATA_BOUNDS.kib} KiB and ${METADATA_BOUNDS.levels} levels.`;
const METADATA_COMPLAINTS: Readonly<Record<MetadataProblem, string>> = {
  not_an_object: 'must be an object',
  too_large: `may have at most ${METADATA_BOUNDS.kib} KiB`,
  too_deep: `may have at most ${METADATA_BOUNDS.levels} levels`,
  lone_surrogate: 'holds a lone surrogate',
};

function problemOf(value: unknown): MetadataProblem | null {
  if (isAbsent(value)) return null;
  return value instanceof MetadataText ? value.problem : 'not_an_object';
}

function complaintOf(value: unknown): string {
  return METADATA_COMPLAINTS[problemOf(value) ?? 'not_an_object'];
}

const NESTED = Symbol('nested bodies');

export function NestedField(type: () => Type<object>, about: FieldOptions): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(NESTED, { ...nestedIn(target), [property]: type }, target);
    // Nest recognises a lazy type only if the function is named `type`.
    const schema = { type: () => type(), ...about, required: false, nullable: true } as ApiPropertyOptions;
    published(schema, optional([rule('parameter_invalid', isObject, 'must be an object')]))(target, property);
  };
}

export function nestedIn(prototype: object): Readonly<Record<string, () => Type<object>>> {
  return (Reflect.getMetadata(NESTED, prototype) as Record<string, () => Type<object>> | undefined) ?? {};
}

const PRESENT = rule('parameter_missing', (value) => !isAbsent(value) && value !== '', 'is required');

/** An optional field may be null, which means absent. */
export function field(schema: ApiPropertyOptions, required: boolean, rules: readonly Rule[]): PropertyDecorator {
  if (required) return published({ ...schema, required: true } as ApiPropertyOptions, [PRESENT, ...rules]);
  return published({ ...schema, required: false, nullable: true } as ApiPropertyOptions, optional(rules));
}

function optional(rules: readonly Rule[]): readonly Rule[] {
  return rules.map(({ code, holds, complaint }) => rule(code, (value, body) => isAbsent(value) || holds(value, body), complaint));
}

function published(schema: ApiPropertyOptions, rules: readonly Rule[]): PropertyDecorator {
  return (target, property) => {
    ApiProperty(schema)(target, property);
    withRules(rules)(target, property);
  };
}
