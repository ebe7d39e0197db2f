import { Curl } from '../../parts/curl.js';
import { IdLink } from '../../parts/id-link.js';
import { List } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { readEventDeliveries } from './read-event-deliveries.js';
import { WORDS } from './texts.js';

const columns = WORDS.deliveries;

export function EventDeliveries({ id, round }: { readonly id: string; readonly round: number }) {
  const project = useProject();
  return (
    <>
      <List
        caption={PLACES.deliveries}
        ask={(page) => readEventDeliveries(project, id, page)}
        keys={[project, id, round]}
        columns={[
          { label: columns.delivery, cell: (delivery) => <IdLink id={delivery.id} /> },
          { label: columns.endpoint, cell: ({ webhook_endpoint_id: endpoint }) => <IdLink id={endpoint} /> },
          { label: columns.status, cell: ({ status }) => <Status status={status} /> },
          { label: columns.trigger, cell: ({ trigger }) => trigger.replaceAll('_', ' ') },
          {
            label: columns.attempts,
            cell: ({ attempt_count: count, max_attempts: most }) => `${count} / ${most}`,
            isNumber: true,
          },
          { label: columns.answer, cell: ({ last_response_status: status, last_error_code: code }) => status ?? code ?? '–' },
          { label: columns.made, cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={<p>{WORDS.noDelivery}</p>}
      />
      <Curl request={{ path: `/events/${id}/deliveries`, query: { order: 'asc' } }} />
    </>
  );
}
