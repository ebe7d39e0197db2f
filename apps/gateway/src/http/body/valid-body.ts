import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { isLongerThan } from '@domain/kernel/code-points';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ParametersRefused, type FailedParameter } from '../errors/error-body.js';
import { nestedIn } from '../fields/fields.js';
import { isObject, type JsonBody } from './json-body.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** One constraint of one property. */
interface BodyRule {
  readonly code: ErrorCode;
  readonly holds: (given: ValidationArguments) => boolean;
  readonly complaint: (given: ValidationArguments) => string;
}

/** The properties of a DTO class, each with its constraints in the order in which they are checked. */
interface BodyShape {
  readonly properties: readonly { readonly name: string; readonly rules: readonly BodyRule[] }[];
  readonly names: ReadonlySet<string>;
  readonly nested: ReturnType<typeof nestedIn>;
}

const MAX_NAME_LENGTH = 255;

/** The body as an instance of its class, without members that the class does not declare. Throws `ParametersRefused`. */
export function validBody<Dto extends object>(type: Type<Dto>, { members, loneSurrogateIn }: JsonBody): Dto {
  const dto = dtoOf(type, members);
  const failed = loneSurrogateIn === null ? [] : [loneSurrogate(loneSurrogateIn)];
  const [first, ...others] = [...failed, ...failuresOf(dto, type)];
  if (first) throw new ParametersRefused([first, ...others]);
  return dto;
}

/**
 * Copies the members that the class declares, as they are. It calls nothing that it finds in them: a client may name a member
 * as it likes, `constructor` too.
 */
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

/** A member whose own name is not Unicode, or is overlong, is not repeated in the answer. */
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

/** Reports only the first rule that a value breaks. */
function firstFailure(dto: object, property: string, rules: readonly BodyRule[]): FailedParameter | null {
  const value = (dto as Record<string, unknown>)[property];
  const given = { value, property, object: dto, targetName: dto.constructor.name, constraints: [] };
  const broken = rules.find(({ holds }) => !holds(given));
  return broken ? { code: broken.code, message: `${property} ${broken.complaint(given)}.`, param: property } : null;
}

const shapes = new WeakMap<Type<object>, BodyShape>();

/**
 * The constraints that class-validator has for a class, cached per class: `validateSync` looks them up for every body, which
 * takes ten times as long as the constraints themselves.
 */
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
