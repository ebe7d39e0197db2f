import type { components } from '../../api/admin-api.js';
import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { WORDS } from './texts.js';

export type Appointment = components['schemas']['AppointmentResource'];

const { labels } = WORDS;

export const APPOINTMENT_COLUMNS: readonly Column<Appointment>[] = [
  { label: labels.id, cell: ({ id }) => <IdLink id={id} /> },
  { label: labels.status, cell: ({ status }) => <Status status={status} /> },
  { label: labels.service, cell: ({ service }) => <Foreign text={service} /> },
  { label: labels.starts, cell: ({ starts_at: at }) => <Time at={at} whole /> },
  { label: labels.resource, cell: ({ resource_id: text }) => <Foreign text={text} /> },
  { label: labels.customer, cell: ({ customer_id: id }) => <IdLink id={id} /> },
];
