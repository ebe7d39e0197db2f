import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import type { Change } from '../../state/changes.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { SELDOM_MS, useFresh } from '../../state/use-fresh.js';
import { PLACES } from '../../texts.js';
import { ConversationCharts } from './conversation-charts.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryCharts } from './delivery-charts.js';
import { IssueCard } from './issue-card.js';
import { ProjectionLags } from './projection-lags.js';
import { WORDS } from './texts.js';
import { useWindow, WindowTabs } from './window-tabs.js';

const ISSUES_SHOWN = 50;

/** The open issues of the installation and of this project first, then how conversations and webhooks went. */
export function Overview() {
  const project = useProject();
  const window = useWindow();
  const seeAll = (place: string) => <a href={place}>{WORDS.seeAll}</a>;
  return (
    <Place title={PLACES.overview} about={WORDS.about}>
      <Issues />
      <WindowTabs />
      <Section title={PLACES.conversations} actions={seeAll(placeOf(project, 'conversations'))}>
        <ConversationCharts window={window} />
      </Section>
      <Section title={PLACES.deliveries} actions={seeAll(placeOf(project, 'deliveries'))}>
        <DeliveryCharts window={window}>
          <DeliveryBacklog />
        </DeliveryCharts>
        <Curl request={{ path: '/webhook_stats', query: { window } }} />
      </Section>
      <Section title={PLACES.projections} actions={seeAll('/admin/projections')}>
        <ProjectionLags />
      </Section>
    </Place>
  );
}

function Issues() {
  const project = useProject();
  const ask = () => answerOf(api.GET('/admin/v1/issues', { params: { query: { status: 'open', limit: ISSUES_SHOWN } } }));
  const { data, problem, reload } = useAnswer(ask, [project]);
  const issues = data?.data.filter(({ project_id: of }) => of === null || of === project);
  // The stream announces what an open issue counts (attempts, deliveries, turns), not the issue itself.
  const matters = ({ object }: Change) => object === 'issue' || issues?.length !== 0;
  useFresh(['issue', 'webhook_delivery', 'conversation', 'session'], reload, matters, SELDOM_MS);
  return (
    <Section title={WORDS.issues}>
      <ProblemNote problem={problem} onRetry={reload} />
      <div role="status">{issues?.length === 0 && <p class="card status good">● {WORDS.fine}</p>}</div>
      <ul class="chat">
        {issues?.map((issue) => (
          <IssueCard key={issue.id} issue={issue} onDismissed={reload} />
        ))}
      </ul>
      <Curl request={{ path: '/issues', query: { status: 'open' } }} />
    </Section>
  );
}
