import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { IdLink } from '../../parts/id-link.js';
import { List, type PageQuery } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { instantOf, TimeField } from '../../parts/time-field.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { EVENT_TYPES } from '../endpoints/event-filters.js';
import { DeliverySummary } from './delivery-summary.js';
import { FirstEvent } from './first-event.js';
import { WORDS } from './texts.js';

const NAMES = ['type', 'object_id', 'created_at[gte]', 'created_at[lt]'] as const;

export function Events() {
  const project = useProject();
  const { query: view } = useView();
  const query = Object.fromEntries(NAMES.flatMap((name) => (view[name] ? [[name, valueOf(name, view[name])]] : [])));
  const ask = (page: PageQuery) => {
    const wanted = { params: { path: { project_id: project }, query: { ...page, ...query } } };
    return answerOf(api.GET('/admin/v1/projects/{project_id}/events', wanted));
  };
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Place title={PLACES.events} about={WORDS.about}>
      <Filters names={NAMES}>
        {(values) => (
          <>
            <Field label={WORDS.columns.type} name="type" value={values['type']} list={['appointment.*', ...EVENT_TYPES]} />
            <Field label={WORDS.object} name="object_id" value={values['object_id']} />
            <TimeField label={WORDS.from} name="created_at[gte]" value={values['created_at[gte]']} />
            <TimeField label={WORDS.before} name="created_at[lt]" value={values['created_at[lt]']} />
          </>
        )}
      </Filters>
      <List
        caption={PLACES.events}
        ask={ask}
        keys={[project, JSON.stringify(query)]}
        live={['event']}
        columns={[
          { label: WORDS.columns.event, cell: ({ id }) => <IdLink id={id} /> },
          { label: WORDS.columns.type, cell: ({ type }) => <span class="keep">{type}</span> },
          { label: WORDS.columns.appointment, cell: ({ data }) => <IdLink id={data.object.id} /> },
          { label: WORDS.columns.deliveries, cell: ({ delivery_summary: summary }) => <DeliverySummary summary={summary} /> },
          { label: WORDS.columns.at, cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          isFiltered ? (
            <p>{WORDS.noneFits}</p>
          ) : (
            <>
              <p>{WORDS.none}</p>
              <FirstEvent />
            </>
          )
        }
      />
      <Curl request={{ path: '/events', query }} />
    </Place>
  );
}

function valueOf(name: string, text: string): string {
  return name.startsWith('created_at') ? instantOf(text) : text;
}
