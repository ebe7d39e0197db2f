import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { api } from './api/api.js';
import { answerOf } from './api/problem.js';
import { ProblemNote } from './parts/problem-note.js';
import { lastProject, placeOf } from './state/project.js';
import { useAnswer } from './state/use-answer.js';

/** Leads to the overview of the project that was last looked at, or of the first. */
export function FirstProject() {
  const { route } = useLocation();
  const { data, problem, reload } = useAnswer(() => answerOf(api.GET('/admin/v1/projects')), []);
  useEffect(() => {
    if (!data) return;
    const last = lastProject();
    const known = data.data.find(({ id }) => id === last) ?? data.data.at(-1);
    route(known ? placeOf(known.id, 'overview') : '/admin/projects', true);
  }, [data]);
  return <ProblemNote problem={problem} onRetry={reload} />;
}
