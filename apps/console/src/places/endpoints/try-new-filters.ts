import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import type { Trial } from './filter-trial.js';

const EVENTS = 100;
/** As many as the list of events takes. */
const TYPES = 20;

/** Which of the project's last hundred events pass these filters: a trial for an endpoint that there is not yet. */
export async function tryNewFilters(project_id: string, filters: readonly string[]): Promise<Trial> {
  const ask = async (more: { 'types[]'?: string[]; 'created_at[lte]'?: string }) => {
    const params = { path: { project_id }, query: { limit: EVENTS, ...more } };
    return (await answerOf(api.GET('/admin/v1/projects/{project_id}/events', { params }))).data;
  };
  const last = await ask({});
  const [newest] = last;
  const passing = newest
    ? await Promise.all(chunksOf(filters).map((types) => ask({ 'types[]': types, 'created_at[lte]': newest.created_at })))
    : [];
  const ids = new Set(passing.flat().map(({ id }) => id));
  const events = last.map(({ id, type }) => ({ id, type, matches: ids.has(id), matches_now: false }));
  return { object: 'filter_trial', events };
}

/** At least one: none at all stand for all events. */
function chunksOf(filters: readonly string[]): string[][] {
  const count = Math.max(1, Math.ceil(filters.length / TYPES));
  return Array.from({ length: count }, (_, index) => filters.slice(index * TYPES, (index + 1) * TYPES));
}
