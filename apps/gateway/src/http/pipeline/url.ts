import type { IncomingMessage } from 'node:http';
import { parse } from 'qs';

const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** No route has more parts, no id is longer: a longer path matches nothing, so it is cut off. */
const MAX_PARTS = 16;
const MAX_PART_LENGTH = 100;

/** Normalises percent-encoding for prefix checks and reduces a full URL to its path, so that no spelling evades a route. */
export function plainUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const local = url.replace(ORIGIN, '');
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  const plain = plainLocal(path) + local.slice(path.length);
  return local === url || plain.startsWith('/') ? plain : `/${plain}`;
}

/** Limited where there are escapes: the router takes quadratic time for escaped percent signs. */
function plainLocal(path: string): string {
  return path.includes('%') ? path.split('/', MAX_PARTS).map(plainSegment).join('/') : path;
}

function plainSegment(segment: string): string {
  return segment.includes('%') ? encodeURIComponent(decoded(segment).slice(0, MAX_PART_LENGTH).toWellFormed()) : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Parses a query string such as `limit=5&created_at[gte]=…&types[]=…`; brackets nest one level only. */
export function parseQuery(query: string): Readonly<Record<string, unknown>> {
  return parse(query, { depth: 1, parameterLimit: 100, arrayLimit: 20, plainObjects: true, allowDots: false });
}
