import type { Position } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import type { LogEnd } from './log-pages.js';
import type { RecentEvents } from './recent-events.js';

/**
 * The position of the newest event of these categories, found among the last events of the log, or else in what this process has
 * read before them. Where this process does not know it, the answer is the first position that none of these events has reached:
 * later than the newest, never earlier.
 */
export function categoryHead(
  categories: readonly string[],
  { events, from }: LogEnd,
  recent: Pick<RecentEvents, 'upTo' | 'headOf'>,
): Position {
  const newest = events.find(({ stream }) => categories.includes(streamCategory(stream)));
  if (newest) return newest.position;
  // Between what this process has read and the last events may be others.
  if (recent.upTo < from) return from;
  const known = recent.headOf(categories);
  return known < from ? known : from;
}
