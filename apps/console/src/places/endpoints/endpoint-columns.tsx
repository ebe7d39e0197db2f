import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

/** Columns of the list of endpoints. */
export const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  { label: WORDS.columns.url, cell: (endpoint) => <Address endpoint={endpoint} /> },
  { label: WORDS.columns.status, cell: ({ status }) => <Status status={status} /> },
  {
    label: WORDS.columns.filters,
    cell: ({ event_filters: filters }) => <Foreign text={filters.join(', ') || WORDS.allEvents} />,
  },
  { label: WORDS.columns.failing, cell: ({ failing_since: at }) => <Time at={at} /> },
  { label: WORDS.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];

function Address({ endpoint: { id, url, description } }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  return (
    <div class="stack tight">
      <a href={placeOf(project, 'endpoints', id)}>
        <Foreign text={url} isLink />
      </a>
      {description && (
        <span class="small muted">
          <Foreign text={description} />
        </span>
      )}
    </div>
  );
}
