import type { IncomingMessage } from 'node:http';
import { parse } from 'qs';

const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** More than any route and any id has: what is cut off could not be found either. */
const MAX_PARTS = 16;
const MAX_PART_LENGTH = 100;

/**
 * The URL of a request with its path spelled in the one plain way: of a full URL only the path, escapes only where they are
 * needed, and what is no escape taken as it stands. So every address can be routed, and none dodges a prefix.
 */
export function plainUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const local = url.replace(ORIGIN, '');
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  const plain = plainLocal(path) + local.slice(path.length);
  return local === url || plain.startsWith('/') ? plain : `/${plain}`;
}

/** Cut where there are escapes: the router takes quadratic time for escaped percent signs. */
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

/** Parses a query string such as `limit=5&created_at[gte]=…&types[]=…`; brackets nest one level, no deeper. */
export function parseQuery(query: string): Readonly<Record<string, unknown>> {
  return parse(query, { depth: 1, parameterLimit: 100, arrayLimit: 20, plainObjects: true, allowDots: false });
}
