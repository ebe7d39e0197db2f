import { instantOf } from '../parts/time-field.js';

/** The filters that the address has, as the API takes them: bounds of times are instants. */
export function filtersOf<Query>(query: Readonly<Record<string, string>>, names: readonly string[]): Query {
  const wanted = names.flatMap((name) => {
    const value = query[name];
    return value ? [[name, name.endsWith(']') ? instantOf(value) : value.trim()]] : [];
  });
  return Object.fromEntries(wanted) as Query;
}
