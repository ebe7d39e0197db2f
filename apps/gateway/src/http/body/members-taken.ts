import type { ClassConstructor } from 'class-transformer';
import { shapeOf } from './valid-body.js';

/** Which members of an object have a meaning for the route. */
export interface MembersTaken {
  /** @param value the value as JSON */
  takes(name: string, value: string): boolean;
  /** The same for an object in a member; null if all of its members count, as in metadata. */
  within(name: string): MembersTaken | null;
}

/** Null clears these members in a change. In any other member, and in nested objects, null means absent. */
const EMPTIED_BY_NULL: ReadonlySet<string> = new Set([
  'name',
  'external_id',
  'description',
  'notes',
  'location',
  'time_zone',
  'rate_limit_per_second',
]);

const NOTHING = { names: new Set<string>(), nested: {} };

/** The non-null members that a DTO class declares; none for a `type` of null. */
export function membersTaken(type: ClassConstructor<object> | null, nulls: 'absent' | 'may-empty' | 'count'): MembersTaken {
  const { names, nested }: Pick<ReturnType<typeof shapeOf>, 'names' | 'nested'> = type ? shapeOf(type) : NOTHING;
  const isAbsent = (name: string) => nulls === 'absent' || (nulls === 'may-empty' && !EMPTIED_BY_NULL.has(name));
  return {
    takes: (name, value) => names.has(name) && !(value === 'null' && isAbsent(name)),
    within: (name) => {
      const inner = Object.hasOwn(nested, name) ? nested[name]?.() : undefined;
      return inner ? membersTaken(inner, nulls === 'count' ? 'count' : 'absent') : null;
    },
  };
}
