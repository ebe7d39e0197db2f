import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { TEXTS } from '../../texts.js';
import { WORDS } from './texts.js';

/** How many deliveries an endpoint has that are not over. */
export function WaitingDeliveries({ endpointId: id }: { readonly endpointId: string }) {
  const project = useProject();
  const of = { params: { path: { project_id: project, id }, query: { window: '1h' } } };
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/stats', of)),
    [project, id],
  );
  useFresh(['webhook_delivery'], reload);
  if (problem) return <ProblemNote problem={problem} onRetry={reload} />;
  return (
    <p role="status">
      <strong>{data ? WORDS.actions.waiting(data.deliveries.open) : TEXTS.list.loading}</strong>
    </p>
  );
}
