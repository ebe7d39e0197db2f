import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';

const MOST = 100;

/** The first hundred endpoints of the project that are sent anything. */
export function useProjectEndpoints() {
  const project = useProject();
  const of = { params: { path: { project_id: project }, query: { limit: MOST, order: 'asc' as const } } };
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/webhook_endpoints', of)),
    [project],
  );
  return {
    endpoints: data?.data.filter(({ status }) => status !== 'disabled'),
    hasMore: data?.has_more ?? false,
    problem,
    reload,
  };
}
