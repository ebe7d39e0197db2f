import type { components } from '../../api/admin-api.js';
import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { WORDS } from './texts.js';

export type Customer = components['schemas']['CustomerResource'];

const { labels } = WORDS;

export const CUSTOMER_COLUMNS: readonly Column<Customer>[] = [
  {
    label: labels.id,
    cell: ({ id, deleted }) => (
      <span class="row">
        <IdLink id={id} />
        {deleted && <Status status="deleted" />}
      </span>
    ),
  },
  { label: labels.name, cell: ({ name }) => <Foreign text={name} /> },
  { label: labels.phone, cell: ({ phone }) => <Foreign text={phone} /> },
  { label: labels.email, cell: ({ email }) => <Foreign text={email} /> },
  { label: labels.externalId, cell: ({ external_id: text }) => <Foreign text={text} /> },
  { label: labels.created, cell: ({ created_at: at }) => <Time at={at} /> },
];
