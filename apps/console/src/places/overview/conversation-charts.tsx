import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Chart } from '../../parts/chart.js';
import { Loaded } from '../../parts/loaded.js';
import { Tile } from '../../parts/tile.js';
import { formatCount, formatDuration } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { REFRESH_MS, WORDS } from './texts.js';
import type { Window } from './window-tabs.js';

type Stats = components['schemas']['ConversationStatsResource'];

/** What was said in the project's conversations within a window. */
export function ConversationCharts({ window }: { readonly window: Window }) {
  const id = useProject();
  const ask = () => {
    const params = { path: { id }, query: { window } };
    return answerOf(api.GET('/admin/v1/projects/{id}/conversation_stats', { params }));
  };
  const answer = useAnswer<Stats>(ask, [id, window]);
  useFresh(['conversation'], answer.reload, undefined, REFRESH_MS);
  return <Loaded of={answer}>{(stats) => (isEmpty(stats) ? <Nothing /> : <Shown stats={stats} />)}</Loaded>;
}

function isEmpty({ messages, turns }: Stats): boolean {
  return messages + turns.replied + turns.failed === 0;
}

function Nothing() {
  return (
    <p class="card">
      {WORDS.silent} <a href={placeOf(useProject(), 'playground')}>{WORDS.speak}</a>
    </p>
  );
}

function Shown({ stats }: { readonly stats: Stats }) {
  const { messages, turns, duration_ms: duration, series } = stats;
  return (
    <div class="stack">
      <div class="tiles">
        <Tile label={WORDS.said} value={formatCount(messages)} />
        <Tile label={WORDS.replied} value={formatCount(turns.replied)} />
        <Tile label={WORDS.failed} value={formatCount(turns.failed)} />
        <Tile label={WORDS.p95} value={formatDuration(duration.p95)} />
      </div>
      <div class="columns">
        <Chart
          title={WORDS.messages}
          series={[[WORDS.said, 'plain']]}
          bars={series.map(({ at, messages: count }) => ({ at, values: [count] }))}
        />
        <Chart
          title={WORDS.turns}
          series={[
            [WORDS.replied, 'good'],
            [WORDS.failed, 'bad'],
          ]}
          bars={series.map(({ at, replied, failed }) => ({ at, values: [replied, failed] }))}
        />
        <Chart
          title={WORDS.replyTime}
          series={[['ms', 'plain']]}
          bars={series.map(({ at, p95_ms: p95 }) => ({ at, values: [p95 ?? 0] }))}
          format={formatDuration}
        />
      </div>
    </div>
  );
}
