import type { components } from '../../api/admin-api.js';
import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { WORDS } from './texts.js';

export type Conversation = components['schemas']['ConversationResource'];

const { labels } = WORDS;

export const CONVERSATION_COLUMNS: readonly Column<Conversation>[] = [
  { label: labels.id, cell: ({ id }) => <IdLink id={id} /> },
  { label: labels.status, cell: ({ status }) => <Status status={status} /> },
  { label: labels.externalId, cell: ({ external_id: text }) => <Foreign text={text} /> },
  { label: labels.customer, cell: ({ customer_id: id }) => <IdLink id={id} /> },
  { label: labels.last, cell: ({ last_message_at: at }) => <Time at={at} /> },
  { label: labels.created, cell: ({ created_at: at }) => <Time at={at} /> },
];
