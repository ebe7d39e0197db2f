const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The address with its path spelled in the one plain way: of a full URL only the path, escapes only where they are
 * needed, and what is no escape taken as it stands. So every address can be routed, and none dodges a prefix.
 */
export function withPlainPath(url: string): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const local = url.replace(ORIGIN, '');
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  const plain = path.split('/').map(plainSegment).join('/') + local.slice(path.length);
  return local === url || plain.startsWith('/') ? plain : `/${plain}`;
}

function plainSegment(segment: string): string {
  return segment.includes('%') ? encodeURIComponent(decoded(segment)) : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
