import type { ClassConstructor } from 'class-transformer';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { nestedIn } from '../fields/fields.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** One constraint of one property. */
export interface BodyRule {
  readonly code: ErrorCode;
  readonly holds: (given: ValidationArguments) => boolean;
  readonly complaint: (given: ValidationArguments) => string;
}

/** The properties of a DTO class, each with its constraints in the order in which they are checked. */
export interface BodyShape {
  readonly properties: readonly { readonly name: string; readonly rules: readonly BodyRule[] }[];
  readonly nested: ReturnType<typeof nestedIn>;
}

const shapes = new WeakMap<ClassConstructor<object>, BodyShape>();

/**
 * The constraints that class-validator has for a class, cached per class: `validateSync` looks them up for every body, which
 * takes ten times as long as the constraints themselves.
 */
export function shapeOf(type: ClassConstructor<object>): BodyShape {
  let shape = shapes.get(type);
  if (!shape) shapes.set(type, (shape = readShape(type)));
  return shape;
}

function readShape(type: ClassConstructor<object>): BodyShape {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  const rulesFor = (name: string) => metadata.filter(({ propertyName }) => propertyName === name).flatMap(rulesOf);
  return { properties: names.map((name) => ({ name, rules: rulesFor(name) })), nested: nestedIn(type.prototype as object) };
}

/** The name of a constraint is its error code: `fields` registers no others. */
function rulesOf({ constraintCls }: Metadata): BodyRule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ name, instance }) => ({
      code: name as ErrorCode,
      holds: (given) => instance.validate(given.value, given) === true,
      complaint: (given) => instance.defaultMessage?.(given) ?? 'is not valid',
    }));
}
