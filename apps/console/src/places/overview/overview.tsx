import { Curl } from '../../parts/curl.js';
import { Place, Section } from '../../parts/place.js';
import { placeOf, useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { ConversationCharts } from './conversation-charts.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryCharts } from './delivery-charts.js';
import { Issues } from './issues.js';
import { ProjectionLags } from './projection-lags.js';
import { WORDS } from './texts.js';
import { useWindow, WindowTabs } from './window-tabs.js';

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
