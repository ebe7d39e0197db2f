import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ID_PREFIXES, idPattern, type IdKind } from '@domain/kernel/ids';

export function Member(schema: ApiPropertyOptions, description: string): PropertyDecorator {
  return ApiProperty({ ...schema, description } as ApiPropertyOptions);
}

export function KindMember(kind: string): PropertyDecorator {
  return Member(one(kind), `Always \`${kind}\`: the kind of resource that this is.`);
}

export const TIME = { type: 'string', format: 'date-time', example: '2026-03-01T09:00:00.000Z' } satisfies ApiPropertyOptions;
export const TIME_OR_NULL = { ...TIME, nullable: true } satisfies ApiPropertyOptions;
export const COUNT = { type: 'integer', minimum: 0 } satisfies ApiPropertyOptions;
export const COUNT_OR_NULL = { ...COUNT, nullable: true } satisfies ApiPropertyOptions;
/** 64 bits, so that a generated client can send `version` back as `expected_version`. */
export const VERSION = { type: 'integer', format: 'int64', minimum: 1 } satisfies ApiPropertyOptions;
export const FLAG = { type: 'boolean' } satisfies ApiPropertyOptions;
export const TEXT = { type: 'string' } satisfies ApiPropertyOptions;
export const TEXT_OR_NULL = { type: 'string', nullable: true } satisfies ApiPropertyOptions;
export const METADATA = { type: 'object', additionalProperties: true } satisfies ApiPropertyOptions;

export const ABOUT_METADATA =
  'The free-form object that the client set, as it was sent: same members, same order, same digits of numbers; `{}` where none was set.';

export function idOf(kind: IdKind) {
  return {
    type: 'string',
    pattern: idPattern(kind),
    example: `${ID_PREFIXES[kind]}_01J9Z3K8Q4T6V8X0A2C4E6G8J0`,
  } satisfies ApiPropertyOptions;
}

export function idOrNull(kind: IdKind) {
  return { ...idOf(kind), nullable: true } satisfies ApiPropertyOptions;
}

export function one(...values: readonly string[]) {
  return { type: 'string', enum: [...values] } satisfies ApiPropertyOptions;
}

export function oneOrNull(...values: readonly string[]) {
  return { ...one(...values), nullable: true } satisfies ApiPropertyOptions;
}
