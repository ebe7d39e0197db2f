import { parse } from 'qs';

export type ParsedQuery = Readonly<Record<string, unknown>>;

/** Parses a query string such as `limit=5&created_at[gte]=…&types[]=…`; brackets nest one level, no deeper. */
export function parseQuery(query: string): ParsedQuery {
  return parse(query, { depth: 1, parameterLimit: 100, arrayLimit: 20, plainObjects: true, allowDots: false });
}
