import { Foreign } from '../../parts/text-block.js';
import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { formatCount, Time } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import type { Delivery } from './delivery-query.js';
import { DELIVERY_TEXTS } from './texts.js';

const TEXTS = DELIVERY_TEXTS.columns;

/** The columns of every list of deliveries. */
export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { label: TEXTS.delivery, cell: ({ id }) => <IdLink id={id} /> },
  { label: TEXTS.status, cell: (delivery) => <StatusCell delivery={delivery} /> },
  {
    label: TEXTS.event,
    cell: ({ event_id: id, event_type: type, trigger }) => (
      <>
        <span class="nowrap">{trigger === 'test' ? type : <IdLink id={id}>{type}</IdLink>}</span>
        {trigger !== 'event' && <div class="small muted">{trigger.replaceAll('_', ' ')}</div>}
      </>
    ),
  },
  {
    label: TEXTS.endpoint,
    cell: ({ webhook_endpoint_id: id, url }) => <EndpointCell id={id} url={url} />,
  },
  {
    label: TEXTS.attempts,
    isNumber: true,
    cell: ({ attempt_count: count, max_attempts: max }) => `${formatCount(count)} / ${formatCount(max)}`,
  },
  {
    label: TEXTS.answer,
    cell: ({ last_response_status: status, last_error_code: error }) => status ?? error?.replaceAll('_', ' ') ?? '–',
  },
  { label: TEXTS.made, cell: ({ created_at: at }) => <Time at={at} /> },
];

function EndpointCell({ id, url }: { readonly id: string; readonly url: string }) {
  return (
    <a href={placeOf(useProject(), 'endpoints', id)}>
      <Foreign text={url} isLink />
    </a>
  );
}

function StatusCell({ delivery: { status, next_attempt_at: next } }: { readonly delivery: Delivery }) {
  return (
    <>
      <Status status={status} />
      {next && (
        <div class="small muted">
          {DELIVERY_TEXTS.next} <Time at={next} />
        </div>
      )}
    </>
  );
}
