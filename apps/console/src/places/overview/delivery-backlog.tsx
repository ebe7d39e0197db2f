import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Chart } from '../../parts/chart.js';
import { Loaded } from '../../parts/loaded.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { REFRESH_MS, WORDS } from './texts.js';

type Backlog = components['schemas']['DeliveryBacklogResource'];

/** The project's deliveries that are not finished now, by retry tier. */
export function DeliveryBacklog() {
  const id = useProject();
  const ask = () => answerOf(api.GET('/admin/v1/projects/{id}/delivery_backlog', { params: { path: { id } } }));
  const answer = useAnswer<Backlog>(ask, [id]);
  useFresh(['webhook_delivery'], answer.reload, undefined, REFRESH_MS);
  return (
    <Loaded of={answer}>
      {({ tiers }) => (
        <Chart
          title={WORDS.backlog}
          of={WORDS.tier}
          series={[[WORDS.open, 'warn']]}
          bars={tiers.map(({ tier, open }) => ({ at: tier ?? WORDS.atOnce, values: [open] }))}
        />
      )}
    </Loaded>
  );
}
