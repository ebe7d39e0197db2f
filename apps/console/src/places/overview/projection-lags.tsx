import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Chart } from '../../parts/chart.js';
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
  const all = data?.data.map((each) => ({ ...each, id: `${each.name} ${each.version}` }));
  return (
    <div class="stack">
      <ProblemNote problem={problem} onRetry={reload} />
      {all
        ?.filter(({ state }) => state !== 'live')
        .map(({ id, name, state }) => (
          <p key={id} class="row">
            <code>{name}</code> <ProjectionStatus state={state} />
          </p>
        ))}
      {all && (
        <Chart
          title={WORDS.lags}
          of={WORDS.name}
          series={[[WORDS.behind, 'plain']]}
          bars={all.map(({ name, lag_ms: lag }) => ({ at: name, values: [lag] }))}
          format={formatDuration}
          table={
            <div class="list">
              <Rows
                caption={WORDS.projections}
                items={all}
                columns={[
                  { label: WORDS.name, cell: ({ name }) => <code>{name}</code> },
                  { label: WORDS.status, cell: ({ state }) => <ProjectionStatus state={state} /> },
                  { label: WORDS.behind, cell: ({ lag_ms: lag }) => formatDuration(lag), isNumber: true },
                ]}
              />
            </div>
          }
        />
      )}
    </div>
  );
}
