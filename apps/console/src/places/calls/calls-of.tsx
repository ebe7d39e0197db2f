import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { FEW, Few } from '../../parts/few.js';
import { placeOf, useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { CALL_COLUMNS } from './call-columns.js';

interface CallsOfProps {
  readonly by: 'customer_id' | 'conversation_id';
  readonly id: string;
  readonly empty: string;
}

/** The newest calls of a customer or a conversation. */
export function CallsOf({ by, id, empty }: CallsOfProps) {
  const project_id = useProject();
  const query = { [by]: id, limit: FEW };
  return (
    <Few
      caption={PLACES.calls}
      ask={() => answerOf(api.GET('/admin/v1/projects/{project_id}/sessions', { params: { path: { project_id }, query } }))}
      keys={[project_id, by, id]}
      columns={CALL_COLUMNS}
      live={['session']}
      empty={empty}
      all={`${placeOf(project_id, 'calls')}?${by}=${id}`}
      request={{ path: '/sessions', query: { [by]: id, limit: String(FEW) } }}
    />
  );
}
