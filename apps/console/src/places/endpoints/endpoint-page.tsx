import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Curl } from '../../parts/curl.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { SecretNote } from '../../parts/secret-note.js';
import { Foreign } from '../../parts/text-block.js';
import { placeOf, useProject } from '../../state/project.js';
import { TEXTS } from '../../texts.js';
import { DeliveryCharts } from '../overview/delivery-charts.js';
import { useWindow, WindowTabs } from '../overview/window-tabs.js';
import { EndpointActions } from './endpoint-actions.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointSecret } from './endpoint-secret.js';
import { EndpointSettings } from './endpoint-settings.js';
import { EndpointTasks } from './endpoint-tasks.js';
import { WORDS } from './texts.js';
import { useEndpoint } from './use-endpoint.js';

/** An endpoint: how it does, what can be done about it, what it lacks, its settings. */
export function EndpointPage() {
  const id = useRoute().params['id'] ?? '';
  const project = useProject();
  const window = useWindow();
  const { data: endpoint, problem, reload } = useEndpoint(id);
  const [secret, setSecret] = useState<string | null>(null);
  if (!endpoint) return problem ? <ProblemNote problem={problem} onRetry={reload} /> : <p role="status">{TEXTS.list.loading}</p>;
  const about = (
    <>
      <Foreign text={endpoint.url} /> · <code>{id}</code>
    </>
  );
  const deliveries = `${placeOf(project, 'deliveries')}?endpoint_id=${id}`;
  return (
    <Place title={WORDS.title} about={about} actions={<EndpointActions endpoint={endpoint} onDone={reload} />}>
      <ProblemNote problem={problem} onRetry={reload} />
      {secret !== null && <SecretNote label={WORDS.rotated} secret={secret} />}
      <Section title={WORDS.health}>
        <EndpointHealth endpoint={endpoint} />
        <p class="row">
          <a href={deliveries}>{WORDS.deliveries}</a>
          <a href={`${deliveries}&status=failed,retrying`}>{WORDS.failed}</a>
          <a href={`${placeOf(project, 'tasks')}?webhook_endpoint_id=${id}`}>{WORDS.tasks}</a>
        </p>
        <WindowTabs />
        <DeliveryCharts window={window} endpointId={id} />
        <Curl request={{ path: `/webhook_endpoints/${id}/stats`, query: { window } }} />
      </Section>
      <Section title={WORDS.mend}>
        <EndpointTasks endpoint={endpoint} />
      </Section>
      <EndpointSettings endpoint={endpoint} onSaved={reload} />
      <EndpointSecret
        endpoint={endpoint}
        onRotated={(next) => {
          setSecret(next);
          reload();
        }}
      />
      <Curl request={{ path: `/webhook_endpoints/${id}` }} />
    </Place>
  );
}
