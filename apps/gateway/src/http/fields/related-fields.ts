import { dateTimeOf } from '@domain/kernel/instant';
import { isAbsent, judged, rule, type Rule } from './fields.js';

type Schema = Readonly<Record<string, unknown>>;

const memberOf = (body: object, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name];
const published = new Map<string, Schema[]>();

/** What bodies' members must satisfy together, by the names of their classes, for the OpenAPI document. */
export const RELATIONS: ReadonlyMap<string, readonly Schema[]> = published;

/** A text without which its neighbour must be given. */
export function OrElse(other: string): PropertyDecorator {
  const isThere = (value: unknown, body: object) => !isAbsent(value) || !isAbsent(memberOf(body, other));
  return related(rule('parameter_missing', isThere, `or ${other} is required`), (name) => ({
    anyOf: [name, other].map((each) => ({ required: [each], properties: { [each]: { type: 'string' } } })),
  }));
}

/** A member that says in another way what its neighbour says: at most one of them is given. */
export function NotWith(other: string): PropertyDecorator {
  const excludes = (value: unknown, body: object) => isAbsent(value) || isAbsent(memberOf(body, other));
  return related(rule('parameter_conflict', excludes, `excludes ${other}`), (name) => ({
    anyOf: [name, other].map((each) => ({ properties: { [each]: { type: 'null' } } })),
  }));
}

/** An object that may be left out unless its neighbour has a certain value. */
export function RequiredWith(other: string, value: unknown): PropertyDecorator {
  const isGiven = (member: unknown, body: object) => !isAbsent(member) || memberOf(body, other) !== value;
  return related(rule('parameter_missing', isGiven, 'is required'), (name) => ({
    anyOf: [
      { properties: { [other]: { not: { const: value } } } },
      { required: [name], properties: { [name]: { type: 'object' } } },
    ],
  }));
}

/** A time after another one of the same body. No schema can say so. */
export function LaterThan(other: string): PropertyDecorator {
  const isLater = (value: unknown, body: object) => {
    const [end, start] = [instantIn(value), instantIn(memberOf(body, other))];
    return end === null || start === null || end > start;
  };
  return judged([rule('time_range_invalid', isLater, `must be later than ${other}`)]);
}

function related(judgement: Rule, schemaOf: (name: string) => Schema): PropertyDecorator {
  return (target, property) => {
    const { name } = target.constructor;
    published.set(name, [...(published.get(name) ?? []), schemaOf(String(property))]);
    judged([judgement])(target, property);
  };
}

/** Null for what is no time: other rules refuse that. */
function instantIn(value: unknown): number | null {
  return typeof value === 'string' ? dateTimeOf(value) : null;
}
