import { registerDecorator, type ValidationArguments } from 'class-validator';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { dateTimeOf } from '@domain/kernel/instant';

/** A rule for a member of a body; the first broken rule is reported. */
export interface Rule {
  readonly code: ErrorCode;
  readonly holds: (value: unknown, body: object) => boolean;
  readonly complaint: string | ((value: unknown) => string);
}

type Schema = Readonly<Record<string, unknown>>;

const published = new Map<string, Schema[]>();

/** Schemas of violations of rules between members, by DTO class, for the OpenAPI document. */
export const VIOLATIONS: ReadonlyMap<string, readonly Schema[]> = published;

const VALUE = { type: ['string', 'number', 'boolean', 'object', 'array'] };

export const has = (...names: readonly string[]): Schema => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, VALUE])),
});

export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

export const memberOf = (body: object, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name];

/** Fails with this code where `holds` is false. The complaint follows the member's name: "must be a text". */
export function rule(code: ErrorCode, holds: Rule['holds'], complaint: Rule['complaint']): Rule {
  return { code, holds, complaint };
}

export function withRules(rules: readonly Rule[]): PropertyDecorator {
  return (target, property) => {
    for (const each of rules) register(target, String(property), each);
  };
}

/** The constraint's name is the error code, which `validBody` reads. */
function register(target: object, propertyName: string, { code, holds, complaint }: Rule): void {
  registerDecorator({
    name: code,
    target: target.constructor,
    propertyName,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => holds(value, args?.object ?? {}),
      defaultMessage: (args?: ValidationArguments) => (typeof complaint === 'string' ? complaint : complaint(args?.value)),
    },
  });
}

export function RequiredWithout(other: string): PropertyDecorator {
  const isThere = (value: unknown, body: object) => !isAbsent(value) || !isAbsent(memberOf(body, other));
  return related(rule('parameter_missing', isThere, `or ${other} is required`), (name) => ({
    not: { anyOf: [has(name), has(other)] },
  }));
}

export function ExclusiveWith(other: string): PropertyDecorator {
  const excludes = (value: unknown, body: object) => isAbsent(value) || isAbsent(memberOf(body, other));
  return related(rule('parameter_conflict', excludes, `excludes ${other}`), (name) => has(name, other));
}

export function RequiredIf(other: string, value: unknown): PropertyDecorator {
  const isGiven = (member: unknown, body: object) => !isAbsent(member) || memberOf(body, other) !== value;
  return related(rule('parameter_missing', isGiven, 'is required'), (name) => ({
    required: [other],
    properties: { [other]: { enum: [value] } },
    not: has(name),
  }));
}

/** Both or none. */
export function Together(other: string): PropertyDecorator {
  const isOf = (value: unknown, body: object) => isAbsent(value) || !isAbsent(memberOf(body, other));
  const without = (name: string) => ({ allOf: [has(name), { not: has(other) }] });
  return related(rule('parameter_invalid', isOf, `needs ${other}`), without);
}

/** A member that another route takes, and that would be misunderstood if it were ignored here. */
export function Forbidden(complaint: string): PropertyDecorator {
  return withRules([rule('parameter_invalid', isAbsent, complaint)]);
}

/** Requires a later time than another member's. JSON Schema cannot express this. */
export function LaterThan(other: string): PropertyDecorator {
  const isLater = (value: unknown, body: object) => {
    const [end, start] = [instantIn(value), instantIn(memberOf(body, other))];
    return end === null || start === null || end > start;
  };
  return withRules([rule('time_range_invalid', isLater, `must be later than ${other}`)]);
}

/** A rule between members. `violationOf` makes the schema of bodies that break it, from the name of the member that has the rule. */
export function related(judgement: Rule, violationOf: (name: string) => Schema): PropertyDecorator {
  return (target, property) => {
    const { name } = target.constructor;
    published.set(name, [...(published.get(name) ?? []), violationOf(String(property))]);
    withRules([judgement])(target, property);
  };
}

/** Null for a value that another rule refuses. */
function instantIn(value: unknown): number | null {
  return typeof value === 'string' ? dateTimeOf(value) : null;
}
