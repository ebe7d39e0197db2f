import type { ComponentChildren } from 'preact';
import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Chart } from '../../parts/chart.js';
import { Loaded } from '../../parts/loaded.js';
import { Tile } from '../../parts/tile.js';
import { formatCount, formatDuration, Time } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { REFRESH_MS, WORDS } from './texts.js';
import type { Window } from './window-tabs.js';

type Stats = Omit<components['schemas']['WebhookStatsResource'], 'object'>;

const OUTCOMES = ['succeeded', 'failed', 'cancelled'] as const;

interface DeliveryChartsProps {
  readonly window: Window;
  /** Only those to this endpoint. */
  readonly endpointId?: string;
  /** Charts beside these. */
  readonly children?: ComponentChildren;
}

/** How the deliveries of the project, or of one of its endpoints, went within a window. */
export function DeliveryCharts({ window, endpointId, children }: DeliveryChartsProps) {
  const projectId = useProject();
  const answer = useAnswer<Stats>(() => statsOf(projectId, window, endpointId), [projectId, window, endpointId]);
  useFresh(['webhook_delivery'], answer.reload, undefined, REFRESH_MS);
  const shown = (stats: Stats) => <Shown stats={stats}>{children}</Shown>;
  return <Loaded of={answer}>{(stats) => (endpointId === undefined && isEmpty(stats) ? <Nothing /> : shown(stats))}</Loaded>;
}

function isEmpty({ deliveries }: Stats): boolean {
  return deliveries.open === 0 && OUTCOMES.every((outcome) => deliveries[outcome] === 0);
}

function Nothing() {
  return (
    <p class="card">
      {WORDS.unsent} <a href={placeOf(useProject(), 'endpoints')}>{WORDS.toEndpoints}</a>
    </p>
  );
}

function Shown({ stats, children }: { readonly stats: Stats; readonly children: ComponentChildren }) {
  const { deliveries, duration_ms: duration, oldest_pending_at: oldest, series } = stats;
  return (
    <div class="stack">
      <div class="tiles">
        {OUTCOMES.map((outcome) => (
          <Tile key={outcome} label={outcome} value={formatCount(deliveries[outcome])} />
        ))}
        <Tile label={WORDS.open} value={formatCount(deliveries.open)} />
        <Tile label={WORDS.p95} value={formatDuration(duration.p95)} />
      </div>
      <p class="small muted">
        {WORDS.oldest}: <Time at={oldest} />
      </p>
      <div class="columns">
        <Chart
          title={WORDS.deliveries}
          series={[
            ['succeeded', 'good'],
            ['failed', 'bad'],
            ['cancelled', 'warn'],
          ]}
          bars={series.map(({ at, succeeded, failed, cancelled }) => ({ at, values: [succeeded, failed, cancelled] }))}
        />
        <Chart
          title={WORDS.latency}
          series={[['ms', 'plain']]}
          bars={series.map(({ at, p95_ms: p95 }) => ({ at, values: [p95 ?? 0] }))}
          format={formatDuration}
        />
        {children}
      </div>
    </div>
  );
}

function statsOf(project: string, window: Window, id?: string): Promise<Stats> {
  const of = { project_id: project };
  const query = { window };
  return id === undefined
    ? answerOf(api.GET('/admin/v1/projects/{project_id}/webhook_stats', { params: { path: of, query } }))
    : answerOf(
        api.GET('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/stats', { params: { path: { ...of, id }, query } }),
      );
}
