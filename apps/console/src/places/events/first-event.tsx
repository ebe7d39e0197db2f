import { useLocation } from 'preact-iso';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { placeOf, useProject } from '../../state/project.js';
import { TEXTS } from '../../texts.js';
import { WORDS } from './texts.js';
import { useProjectEndpoints } from './use-project-endpoints.js';

const DAY_MS = 86_400_000;

/** Books an appointment, so that there is an event. */
export function FirstEvent() {
  const project = useProject();
  const { route } = useLocation();
  const body = { service: 'example', starts_at: new Date(Date.now() + DAY_MS).toISOString() };
  const book = async () => {
    const wanted = { params: { path: { project_id: project } }, body };
    const { id } = await answerOf(api.POST('/admin/v1/projects/{project_id}/appointments', wanted));
    route(`${placeOf(project, 'events')}?object_id=${id}`);
  };
  return (
    <div>
      <AskBefore label={WORDS.book} title={WORDS.book} onConfirm={book}>
        <p>{WORDS.bookAbout}</p>
        <Reach />
        <Curl request={{ method: 'POST', path: '/appointments', body }} />
      </AskBefore>
    </div>
  );
}

function Reach() {
  const { endpoints, hasMore, problem, reload } = useProjectEndpoints();
  if (problem) return <ProblemNote problem={problem} onRetry={reload} />;
  if (!endpoints) return <p role="status">{TEXTS.list.loading}</p>;
  return <p role="status">{WORDS.reaches(endpoints.length, hasMore)}</p>;
}
