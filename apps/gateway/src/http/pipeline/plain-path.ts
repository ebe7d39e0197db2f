const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** More than any route and any id has: what is cut off could not be found either. */
const MOST_PARTS = 16;
const LONGEST_PART = 100;

/**
 * The address with its path spelled in the one plain way: of a full URL only the path, escapes only where they are
 * needed, and what is no escape taken as it stands. So every address can be routed, and none dodges a prefix.
 */
export function withPlainPath(url: string): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const local = url.replace(ORIGIN, '');
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  const plain = plainLocal(path) + local.slice(path.length);
  return local === url || plain.startsWith('/') ? plain : `/${plain}`;
}

/** Cut where there are escapes: the router takes quadratic time for escaped percent signs. */
function plainLocal(path: string): string {
  return path.includes('%') ? path.split('/', MOST_PARTS).map(plainSegment).join('/') : path;
}

function plainSegment(segment: string): string {
  return segment.includes('%') ? encodeURIComponent(decoded(segment).slice(0, LONGEST_PART).toWellFormed()) : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
