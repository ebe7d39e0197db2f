import type { ClassConstructor } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ParametersRefused, type FailedParameter } from './error-answer.js';
import { ERRORS } from './error-catalogue.js';
import { nestedIn } from './fields.js';
import { isObject, type JsonBody } from './json-body.js';

/** Constraints of class-validator itself that mean something more exact than an invalid parameter. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  isDefined: 'parameter_missing',
  isNotEmpty: 'parameter_missing',
  maxLength: 'parameter_too_long',
};

interface Shape {
  readonly properties: readonly string[];
  readonly nested: ReturnType<typeof nestedIn>;
}

const shapes = new WeakMap<ClassConstructor<object>, Shape>();

/** The body as an instance of its class; throws `ParametersRefused`. Members that the class does not know are left behind. */
export function validBody<Dto extends object>(type: ClassConstructor<Dto>, { members, loneSurrogateIn }: JsonBody): Dto {
  const failed: FailedParameter[] = [];
  if (loneSurrogateIn !== null) {
    failed.push({ code: 'parameter_invalid', message: `${loneSurrogateIn} holds a lone surrogate.`, param: loneSurrogateIn });
  }
  const dto = build(type, members, failed);
  const [first, ...others] = failed;
  if (first) throw new ParametersRefused([first, ...others]);
  return dto;
}

function build<Dto extends object>(
  type: ClassConstructor<Dto>,
  members: Readonly<Record<string, unknown>>,
  failed: FailedParameter[],
) {
  const { properties, nested } = shapeOf(type);
  const dto = new type();
  const values = dto as Record<string, unknown>;
  const within: Record<string, FailedParameter[]> = {};
  for (const property of properties) {
    if (!Object.hasOwn(members, property)) continue;
    const value = members[property];
    const inner = nested[property];
    values[property] = inner && isObject(value) ? build(inner(), value, (within[property] = [])) : value;
  }
  const errors = validateSync(dto, { forbidUnknownValues: false });
  if (errors.length > 0 || Object.keys(within).length > 0) {
    for (const property of properties) failed.push(...failuresOf(property, errors), ...(within[property] ?? []));
  }
  return dto;
}

function failuresOf(property: string, errors: readonly ValidationError[]): FailedParameter[] {
  const { constraints = {} } = errors.find((error) => error.property === property) ?? {};
  const [broken] = Object.entries(constraints);
  return broken ? [{ code: codeOf(broken[0]), message: `${property} ${broken[1]}.`, param: property }] : [];
}

function shapeOf(type: ClassConstructor<object>): Shape {
  let shape = shapes.get(type);
  if (!shape) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const properties = [...new Set(metadata.map(({ propertyName }) => propertyName))];
    shape = { properties, nested: nestedIn(type.prototype as object) };
    shapes.set(type, shape);
  }
  return shape;
}

function codeOf(constraint: string): ErrorCode {
  if (Object.hasOwn(ERRORS, constraint)) return constraint as ErrorCode;
  return CODES[constraint] ?? 'parameter_invalid';
}
