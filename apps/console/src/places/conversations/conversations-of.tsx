import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { FEW, Few } from '../../parts/few.js';
import { placeOf, useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { CONVERSATION_COLUMNS } from './conversation-columns.js';

/** The newest conversations with a customer. */
export function ConversationsOf({ customerId, empty }: { readonly customerId: string; readonly empty: string }) {
  const project_id = useProject();
  const query = { customer_id: customerId, limit: FEW };
  return (
    <Few
      caption={PLACES.conversations}
      ask={() => answerOf(api.GET('/admin/v1/projects/{project_id}/conversations', { params: { path: { project_id }, query } }))}
      keys={[project_id, customerId]}
      columns={CONVERSATION_COLUMNS}
      live={['conversation']}
      empty={empty}
      all={`${placeOf(project_id, 'conversations')}?customer_id=${customerId}`}
      request={{ path: '/conversations', query: { customer_id: customerId, limit: String(FEW) } }}
    />
  );
}
