import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import type { PageQuery } from '../../parts/list.js';
import { Talk } from '../../parts/talk.js';
import { useProject } from '../../state/project.js';
import { WORDS } from './texts.js';

/** What was spoken on a call. */
export function Turns({ id }: { readonly id: string }) {
  const project_id = useProject();
  const ask = (page: PageQuery) =>
    answerOf(
      api.GET('/admin/v1/projects/{project_id}/sessions/{id}/turns', {
        params: { path: { project_id, id }, query: { order: 'desc', limit: 50, ...page } },
      }),
    );
  return <Talk label={WORDS.turns} ask={ask} of={id} live="session" empty={WORDS.silent} />;
}
