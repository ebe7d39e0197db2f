import type { RecentEvents } from '@kit/recent-events';
import type { Position, Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import type { LogEnd } from './log-pages.js';

/** The newest position of these categories. If unknown, the first position that none of their events has reached: never too early. */
export function categoryHead(
  categories: readonly string[],
  { events, from }: LogEnd,
  recent: Pick<RecentEvents<Recorded>, 'upTo' | 'headOf'>,
): Position {
  const newest = events.find(({ stream }) => categories.includes(streamCategory(stream)));
  if (newest) return newest.position;
  // There may be unknown events between the part read and the end.
  if (recent.upTo < from) return from;
  const known = recent.headOf(categories);
  return known < from ? known : from;
}
