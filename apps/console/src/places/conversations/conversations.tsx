import type { operations } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Choice, Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { TimeField } from '../../parts/time-field.js';
import { filtersOf } from '../../state/filters-of.js';
import { placeOf, useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { CONVERSATION_COLUMNS } from './conversation-columns.js';
import { WORDS } from './texts.js';

type Query = NonNullable<operations['listConversations']['parameters']['query']>;

const NAMES = ['external_id', 'customer_id', 'status', 'last_message_at[gte]', 'last_message_at[lt]'];
const STATUSES = ['active', 'handed_off', 'ended'];

export function Conversations() {
  const project_id = useProject();
  const { query } = useView();
  const filters = filtersOf<Query>(query, NAMES);
  return (
    <Place title={PLACES.conversations} about={WORDS.about}>
      <div class="stack">
        <ConversationFilters />
        <Curl request={{ path: '/conversations', query: filters as Record<string, string> }} />
        <List
          caption={PLACES.conversations}
          ask={(page) =>
            answerOf(
              api.GET('/admin/v1/projects/{project_id}/conversations', {
                params: { path: { project_id }, query: { ...filters, ...page } },
              }),
            )
          }
          keys={[project_id, JSON.stringify(filters)]}
          columns={CONVERSATION_COLUMNS}
          live={['conversation']}
          empty={Object.keys(filters).length > 0 ? WORDS.none : <Empty />}
        />
      </div>
    </Place>
  );
}

function Empty() {
  const project = useProject();
  return (
    <p>
      {WORDS.empty} <a href={placeOf(project, 'playground')}>{WORDS.toPlayground}</a>
    </p>
  );
}

function ConversationFilters() {
  const { labels } = WORDS;
  return (
    <Filters names={NAMES}>
      {(values) => (
        <>
          <Field label={labels.externalId} name="external_id" value={values['external_id']} />
          <Field label={labels.customer} name="customer_id" value={values['customer_id']} />
          <Choice label={labels.status} name="status" value={values['status']} options={STATUSES} any />
          <TimeField label={labels.lastFrom} name="last_message_at[gte]" value={values['last_message_at[gte]']} />
          <TimeField label={labels.lastTo} name="last_message_at[lt]" value={values['last_message_at[lt]']} />
        </>
      )}
    </Filters>
  );
}
