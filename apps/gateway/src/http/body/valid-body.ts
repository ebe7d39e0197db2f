import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { isLongerThan } from '@domain/kernel/code-points';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ParametersRefused, type FailedParameter } from '../errors/error-body.js';
import { nestedIn } from '../fields/fields.js';
import { isObject, type JsonBody } from './json-body.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface BodyRule {
  readonly code: ErrorCode;
  readonly holds: (given: ValidationArguments) => boolean;
  readonly complaint: (given: ValidationArguments) => string;
}

interface BodyShape {
  readonly properties: readonly { readonly name: string; readonly rules: readonly BodyRule[] }[];
  readonly names: ReadonlySet<string>;
  readonly nested: ReturnType<typeof nestedIn>;
}

const MAX_NAME_LENGTH = 255;

/** Creates the DTO, without undeclared members. Throws `ParametersRefused`. */
export function validBody<Dto extends object>(type: Type<Dto>, { members, loneSurrogateIn }: JsonBody): Dto {
  const dto = dtoOf(type, members);
  const failed = loneSurrogateIn === null ? [] : [loneSurrogate(loneSurrogateIn)];
  const [first, ...others] = [...failed, ...failuresOf(dto, type)];
  if (first) throw new ParametersRefused([first, ...others]);
  return dto;
}

/** Copies declared members. Calls nothing found in them: a client may name a member `constructor`. */
function dtoOf<Dto extends object>(type: Type<Dto>, members: Readonly<Record<string, unknown>>): Dto {
  const { names, nested } = shapeOf(type);
  const own = [...names].filter((name) => Object.hasOwn(members, name));
  const values = own.map((name) => {
    const inner = nested[name]?.();
    const value = members[name];
    return [name, inner && isObject(value) ? dtoOf(inner, value) : value];
  });
  return Object.assign(new type(), Object.fromEntries(values));
}

/** A member name that is not Unicode or overlong is not repeated in the answer. */
function loneSurrogate(member: string): FailedParameter {
  const code = 'parameter_invalid';
  return member.isWellFormed() && !isLongerThan(MAX_NAME_LENGTH, member)
    ? { code, message: `${member} holds a lone surrogate.`, param: member }
    : { code, message: "A member's name or value holds a lone surrogate." };
}

function failuresOf(dto: object, type: Type<object>): FailedParameter[] {
  const { properties, nested } = shapeOf(type);
  return properties.flatMap(({ name, rules }) => {
    const failure = firstFailure(dto, name, rules);
    const inner = nested[name]?.();
    const value = (dto as Record<string, unknown>)[name];
    const within = inner && value instanceof inner ? failuresOf(value, inner) : [];
    return [...(failure ? [failure] : []), ...within];
  });
}

function firstFailure(dto: object, property: string, rules: readonly BodyRule[]): FailedParameter | null {
  const value = (dto as Record<string, unknown>)[property];
  const given = { value, property, object: dto, targetName: dto.constructor.name, constraints: [] };
  const broken = rules.find(({ holds }) => !holds(given));
  return broken ? { code: broken.code, message: `${property} ${broken.complaint(given)}.`, param: property } : null;
}

const shapes = new WeakMap<Type<object>, BodyShape>();

/** Cached, because `validateSync` looks the constraints up for every body, which takes ten times as long as checking them. */
export function shapeOf(type: Type<object>): BodyShape {
  let shape = shapes.get(type);
  if (!shape) shapes.set(type, (shape = readShape(type)));
  return shape;
}

function readShape(type: Type<object>): BodyShape {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = new Set(metadata.map(({ propertyName }) => propertyName));
  const rulesFor = (name: string) => metadata.filter(({ propertyName }) => propertyName === name).flatMap(rulesOf);
  const properties = [...names].map((name) => ({ name, rules: rulesFor(name) }));
  return { properties, names, nested: nestedIn(type.prototype as object) };
}

/** The name of a constraint is its error code: `rules.ts` registers no others. */
function rulesOf({ constraintCls }: Metadata): BodyRule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ name, instance }) => ({
      code: name as ErrorCode,
      holds: (given) => instance.validate(given.value, given) === true,
      complaint: (given) => instance.defaultMessage?.(given) ?? 'is not valid',
    }));
}
