import { api } from '../api/api.js';
import { answerOf } from '../api/problem.js';
import { placeOf, useProject } from '../state/project.js';
import { useAnswer } from '../state/use-answer.js';
import { useFresh } from '../state/use-fresh.js';
import { formatCount } from './time.js';
import { TEXTS } from '../texts.js';

/** How many endpoints of the project the events of a change reach. */
export function Reach() {
  const project_id = useProject();
  const ask = () =>
    answerOf(
      api.GET('/admin/v1/projects/{project_id}/webhook_endpoints', { params: { path: { project_id }, query: { limit: 100 } } }),
    );
  const { data, reload } = useAnswer(ask, [project_id]);
  useFresh(['webhook_endpoint'], reload);
  if (!data) return null;
  const enabled = data.data.filter(({ status }) => status === 'enabled').length;
  const count = `${formatCount(enabled)}${data.has_more ? '+' : ''}`;
  return (
    <p>
      {TEXTS.reach(count)} <a href={placeOf(project_id, 'endpoints')}>{TEXTS.reachWhich}</a>
    </p>
  );
}
