import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Rows } from '../../parts/list.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { ProjectionStatus } from '../../parts/projection-status.js';
import { formatDuration } from '../../parts/time.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { REFRESH_MS, WORDS } from './texts.js';

const ANY = ['conversation', 'appointment', 'webhook_delivery'];

/** How far the lists of all projects are behind the log. */
export function ProjectionLags() {
  const { data, problem, reload } = useAnswer(() => answerOf(api.GET('/admin/v1/projections')), []);
  useFresh(ANY, reload, undefined, REFRESH_MS);
  const all = data?.data.map((each) => ({ ...each, id: each.name }));
  return (
    <div class="stack">
      <ProblemNote problem={problem} onRetry={reload} />
      {all && (
        <Rows
          caption={WORDS.projections}
          items={all}
          columns={[
            { label: WORDS.name, cell: ({ name }) => <code>{name}</code> },
            { label: WORDS.status, cell: ({ state }) => <ProjectionStatus state={state} /> },
            { label: WORDS.behind, cell: ({ lag_ms: lag }) => formatDuration(lag), isNumber: true },
          ]}
        />
      )}
    </div>
  );
}
