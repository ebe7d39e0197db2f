import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Facts } from '../../parts/facts.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { TextBlock } from '../../parts/text-block.js';
import { formatDuration } from '../../parts/time.js';
import { useChanges } from '../../state/changes.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { WORDS } from './texts.js';

const { tested } = WORDS;
const EVERY_MS = 1_000;

/** How a delivery stands, looked at again until it is over. */
export function TestedDelivery({ id }: { readonly id: string }) {
  const project = useProject();
  const of = { params: { path: { project_id: project, id } } };
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries/{id}', of)),
    [project, id],
  );
  useChanges(['webhook_delivery'], (change) => {
    if (change === null || change.id === id) reload();
  });
  const isOver = data !== undefined && data.completed_at !== null;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [isOver, reload]);
  if (!data) return <ProblemNote problem={problem} onRetry={reload} />;
  const last = data.attempts.at(-1);
  return (
    <div role="status" class="stack tight">
      <Facts
        of={[
          [tested.status, <Status status={data.status} />],
          [tested.attempts, `${data.attempt_count} / ${data.max_attempts}`],
          [tested.answer, last?.response_status ?? last?.error_code],
          [tested.duration, formatDuration(last?.duration_ms)],
        ]}
      />
      {last?.response_body && <TextBlock label={tested.body} text={last.response_body} />}
    </div>
  );
}
