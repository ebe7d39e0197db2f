import { dateTimeOf } from '@domain/kernel/instant';
import { isAbsent, withRules, rule, type Rule } from './fields.js';

type Schema = Readonly<Record<string, unknown>>;

const memberOf = (body: object, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name];
const published = new Map<string, Schema[]>();

/** Schemas of the rules between members, by the name of the body's class, for the OpenAPI document. */
export const RELATIONS: ReadonlyMap<string, readonly Schema[]> = published;

/** This text or the other member must be given. */
export function RequiredWithout(other: string): PropertyDecorator {
  const isThere = (value: unknown, body: object) => !isAbsent(value) || !isAbsent(memberOf(body, other));
  return related(rule('parameter_missing', isThere, `or ${other} is required`), (name) => ({
    anyOf: [name, other].map((each) => ({ required: [each], properties: { [each]: { type: 'string' } } })),
  }));
}

/** At most one of this member and the other may be given. */
export function ExclusiveWith(other: string): PropertyDecorator {
  const excludes = (value: unknown, body: object) => isAbsent(value) || isAbsent(memberOf(body, other));
  return related(rule('parameter_conflict', excludes, `excludes ${other}`), (name) => ({
    anyOf: [name, other].map((each) => ({ properties: { [each]: { type: 'null' } } })),
  }));
}

/** Requires this object where the other member has the value. */
export function RequiredIf(other: string, value: unknown): PropertyDecorator {
  const isGiven = (member: unknown, body: object) => !isAbsent(member) || memberOf(body, other) !== value;
  return related(rule('parameter_missing', isGiven, 'is required'), (name) => ({
    anyOf: [
      { properties: { [other]: { not: { const: value } } } },
      { required: [name], properties: { [name]: { type: 'object' } } },
    ],
  }));
}

/** A time later than another member. JSON Schema cannot express this. */
export function LaterThan(other: string): PropertyDecorator {
  const isLater = (value: unknown, body: object) => {
    const [end, start] = [instantIn(value), instantIn(memberOf(body, other))];
    return end === null || start === null || end > start;
  };
  return withRules([rule('time_range_invalid', isLater, `must be later than ${other}`)]);
}

function related(judgement: Rule, schemaOf: (name: string) => Schema): PropertyDecorator {
  return (target, property) => {
    const { name } = target.constructor;
    published.set(name, [...(published.get(name) ?? []), schemaOf(String(property))]);
    withRules([judgement])(target, property);
  };
}

/** The time in epoch milliseconds; null for a value that another rule refuses. */
function instantIn(value: unknown): number | null {
  return typeof value === 'string' ? dateTimeOf(value) : null;
}
