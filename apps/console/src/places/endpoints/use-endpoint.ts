import { api } from '../../api/api.js';
import type { components } from '../../api/admin-api.js';
import { answerOf } from '../../api/problem.js';
import { useProject } from '../../state/project.js';
import { useAnswer, type Answer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';

export type Endpoint = components['schemas']['WebhookEndpointResource'];

/** An endpoint as it is now. */
export function useEndpoint(id: string): Answer<Endpoint> {
  const project = useProject();
  const of = { params: { path: { project_id: project, id } } };
  const answer = useAnswer<Endpoint>(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/webhook_endpoints/{id}', of)),
    [project, id],
  );
  // The stream announces changes of `failing_since` as those of deliveries.
  useFresh(
    ['webhook_endpoint', 'webhook_delivery'],
    answer.reload,
    ({ object, id: of }) => object !== 'webhook_endpoint' || of === id,
  );
  return answer;
}
