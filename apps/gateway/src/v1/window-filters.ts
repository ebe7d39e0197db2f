import { STATS_WINDOWS, type StatsWindow } from '@application/read-models/stats-window';
import { TEXT } from '../http/docs/schemas.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { oneOf, readFilter, type Filters, type Query } from '../http/paging/list-filters.js';

const USUAL_WINDOW: StatsWindow = '24h';
const STATS_WINDOW: Readonly<Record<StatsWindow, string>> = {
  '1h': 'the last 60 minutes.',
  '24h': 'the last 24 hours.',
  '7d': 'the last 28 spans of six hours.',
  '30d': 'the last 30 days.',
};

/** No enum: its values would make no names in generated clients. */
export const WINDOW = { ...TEXT, pattern: `^(${STATS_WINDOWS.join('|')})$`, example: '24h' } as const;
export const ABOUT_WINDOW = withMeanings('How far back the counts reach.', STATS_WINDOW);
export const ABOUT_SPANS =
  'The spans of the window, oldest first: 60 minutes, 24 hours, 28 times six hours or 30 days, of UTC. The last one is not over.';

const WINDOWS = `How far back to count; \`${USUAL_WINDOW}\` where it is left out.`;
export const WINDOW_FILTERS: Filters = {
  window: oneOf(withMeanings(WINDOWS, STATS_WINDOW), 'window', STATS_WINDOWS),
};

/** Throws `parameter_invalid`. */
export function windowOf(query: Query): StatsWindow {
  readFilter(query, WINDOW_FILTERS);
  return STATS_WINDOWS.find((each) => each === query['window']) ?? USUAL_WINDOW;
}
