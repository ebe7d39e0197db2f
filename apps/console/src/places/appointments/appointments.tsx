import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { Tabs } from '../../parts/tabs.js';
import { TimeField } from '../../parts/time-field.js';
import { placeOf, useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { AppointmentCalendar } from './appointment-calendar.js';
import { APPOINTMENT_COLUMNS } from './appointment-columns.js';
import { FILTER_NAMES, listQuery, STATUSES } from './appointment-query.js';
import { BookAppointment } from './book-appointment.js';
import { WORDS } from './texts.js';

/** All appointments, as a list or by the days on which they start. */
export function Appointments() {
  const { query } = useView();
  const view = query['view'];
  return (
    <Place title={PLACES.appointments} about={WORDS.about} actions={<BookAppointment />}>
      <div class="stack">
        <Tabs
          label={WORDS.views}
          name="view"
          tabs={[
            ['list', WORDS.list],
            ['day', WORDS.day],
            ['week', WORDS.week],
          ]}
        />
        <AppointmentFilters isList={view === undefined} />
        {view === 'day' || view === 'week' ? <AppointmentCalendar view={view} /> : <AppointmentList />}
      </div>
    </Place>
  );
}

function AppointmentList() {
  const project_id = useProject();
  const { query } = useView();
  const filters = listQuery(query);
  return (
    <>
      <Curl request={{ path: '/appointments', query: filters as Record<string, string> }} />
      <List
        caption={PLACES.appointments}
        ask={(page) =>
          answerOf(
            api.GET('/admin/v1/projects/{project_id}/appointments', {
              params: { path: { project_id }, query: { ...filters, ...page } },
            }),
          )
        }
        keys={[project_id, JSON.stringify(filters)]}
        columns={APPOINTMENT_COLUMNS}
        live={['appointment']}
        empty={Object.keys(filters).length > 0 ? WORDS.none : <Empty />}
      />
    </>
  );
}

function Empty() {
  const project = useProject();
  return (
    <>
      <p>{WORDS.empty}</p>
      <p class="row">
        <a href={placeOf(project, 'playground')}>{WORDS.toPlayground}</a>
        <BookAppointment />
      </p>
    </>
  );
}

function AppointmentFilters({ isList }: { readonly isList: boolean }) {
  const { labels } = WORDS;
  return (
    <Filters names={FILTER_NAMES}>
      {(values) => (
        <>
          <Field
            label={labels.status}
            name="status"
            value={values['status']}
            list={[...STATUSES, 'pending,confirmed,rescheduled']}
          />
          <Field label={labels.customer} name="customer_id" value={values['customer_id']} />
          <Field label={labels.resource} name="resource_id" value={values['resource_id']} />
          <Field label={labels.externalId} name="external_id" value={values['external_id']} />
          <Field label={labels.call} name="session_id" value={values['session_id']} />
          <Field label={labels.conversation} name="conversation_id" value={values['conversation_id']} />
          {isList && <TimeField label={labels.startsFrom} name="starts_at[gte]" value={values['starts_at[gte]']} />}
          {isList && <TimeField label={labels.startsTo} name="starts_at[lt]" value={values['starts_at[lt]']} />}
        </>
      )}
    </Filters>
  );
}
