import { judged, rule } from './fields.js';
import { dateTimeOf } from './instant.js';

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const memberOf = (body: object, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name];

/** A member that says in another way what its neighbour says: at most one of them is given. */
export function NotWith(other: string): PropertyDecorator {
  const excludes = (value: unknown, body: object) => isAbsent(value) || isAbsent(memberOf(body, other));
  return judged([rule('parameter_conflict', excludes, `excludes ${other}`)]);
}

/** A time after another one of the same body. */
export function LaterThan(other: string): PropertyDecorator {
  const isLater = (value: unknown, body: object) => {
    const [end, start] = [instantIn(value), instantIn(memberOf(body, other))];
    return end === null || start === null || end > start;
  };
  return judged([rule('time_range_invalid', isLater, `must be later than ${other}`)]);
}

/** A member that may be left out unless its neighbour has a certain value. */
export function RequiredWith(other: string, value: unknown): PropertyDecorator {
  const isGiven = (member: unknown, body: object) => !isAbsent(member) || memberOf(body, other) !== value;
  return judged([rule('parameter_missing', isGiven, 'is required')]);
}

/** Null for what is no time: other rules refuse that. */
function instantIn(value: unknown): number | null {
  return typeof value === 'string' ? dateTimeOf(value) : null;
}
