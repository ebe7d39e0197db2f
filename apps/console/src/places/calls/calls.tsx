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
import { useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { CALL_COLUMNS } from './call-columns.js';
import { WORDS } from './texts.js';

type Query = NonNullable<operations['listSessions']['parameters']['query']>;

const REFERENCES = ['customer_id', 'conversation_id', 'external_id'];
const NAMES = ['status', 'direction', ...REFERENCES, 'started_at[gte]', 'started_at[lt]'];

export function Calls() {
  const project_id = useProject();
  const { query } = useView();
  const filters = filtersOf<Query>(query, NAMES);
  return (
    <Place title={PLACES.calls} about={WORDS.about}>
      <div class="stack">
        <CallFilters />
        <Curl request={{ path: '/sessions', query: filters as Record<string, string> }} />
        <List
          caption={PLACES.calls}
          ask={(page) =>
            answerOf(
              api.GET('/admin/v1/projects/{project_id}/sessions', {
                params: { path: { project_id }, query: { ...filters, ...page } },
              }),
            )
          }
          keys={[project_id, JSON.stringify(filters)]}
          columns={CALL_COLUMNS}
          live={['session']}
          empty={Object.keys(filters).length > 0 ? WORDS.none : <Empty />}
        />
      </div>
    </Place>
  );
}

function Empty() {
  return (
    <>
      <p>{WORDS.empty}</p>
      <Curl request={{ method: 'POST', path: '/sessions', body: { direction: 'inbound', from: '+4915112345678' } }} />
    </>
  );
}

function CallFilters() {
  const { labels } = WORDS;
  return (
    <Filters names={NAMES}>
      {(values) => (
        <>
          <Choice label={labels.status} name="status" value={values['status']} options={['open', 'closed']} any />
          <Choice label={labels.direction} name="direction" value={values['direction']} options={['inbound', 'outbound']} any />
          <Field label={labels.customer} name="customer_id" value={values['customer_id']} />
          <Field label={labels.conversation} name="conversation_id" value={values['conversation_id']} />
          <Field label={labels.externalId} name="external_id" value={values['external_id']} />
          <TimeField label={labels.startedFrom} name="started_at[gte]" value={values['started_at[gte]']} />
          <TimeField label={labels.startedTo} name="started_at[lt]" value={values['started_at[lt]']} />
        </>
      )}
    </Filters>
  );
}
