import { api } from '../../api/api.js';
import type { operations } from '../../api/admin-api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Choice, Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { List, type Page, type PageQuery } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { Tabs } from '../../parts/tabs.js';
import { instantOf, TimeField } from '../../parts/time-field.js';
import { placeOf, useProject } from '../../state/project.js';
import type { Task } from '../../state/use-task.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { TASK_COLUMNS } from './task-columns.js';
import { TASKS_TEXTS as TEXTS } from './texts.js';

type Query = NonNullable<operations['listTasks']['parameters']['query']>;

const NAMES = [
  'kind',
  'status',
  'webhook_endpoint_id',
  'created_at[gte]',
  'created_at[gt]',
  'created_at[lte]',
  'created_at[lt]',
  'order',
];
const KINDS = ['deliveries.retry', 'endpoint.recover', 'endpoint.replay_missing', 'endpoint.reconcile'];
const STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'];
const TABS = [
  ['project', TEXTS.ofProject],
  ['installation', TEXTS.ofInstallation],
] as const;

/** The tasks of the project, or those of no project. */
export function Tasks() {
  const project = useProject();
  const { query } = useView();
  const isInstallation = query['of'] === 'installation';
  const filters = filtersOf(query);
  return (
    <Place title={PLACES.tasks} about={TEXTS.about}>
      <div class="stack">
        <Tabs label={TEXTS.whose} name="of" tabs={TABS} />
        <TaskFilters />
        {!isInstallation && <Curl request={{ path: '/tasks', query: filters as Record<string, string> }} />}
        <List
          caption={TEXTS.caption}
          ask={(page) => askFor(isInstallation ? null : project, { ...filters, ...page })}
          keys={[project, isInstallation, JSON.stringify(filters)]}
          columns={TASK_COLUMNS}
          live={['task']}
          isOldestFirst={filters.order === 'asc'}
          empty={<Empty isInstallation={isInstallation} />}
        />
      </div>
    </Place>
  );
}

function askFor(project_id: string | null, query: Query & PageQuery): Promise<Page<Task>> {
  return project_id === null
    ? answerOf(api.GET('/admin/v1/tasks', { params: { query } }))
    : answerOf(api.GET('/admin/v1/projects/{project_id}/tasks', { params: { path: { project_id }, query } }));
}

function filtersOf(values: Readonly<Record<string, string>>): Query {
  const wanted = NAMES.flatMap((name) => {
    const value = values[name];
    return value ? [[name, name.startsWith('created_at') ? instantOf(value) : value]] : [];
  });
  return Object.fromEntries(wanted) as Query;
}

function TaskFilters() {
  const { kind, status, endpoint, from, to, order } = TEXTS.filters;
  return (
    <Filters names={NAMES}>
      {(values) => (
        <>
          <Field label={kind} name="kind" value={values['kind']} list={KINDS} />
          <Choice label={status} name="status" value={values['status']} options={STATUSES} any />
          <Field label={endpoint} name="webhook_endpoint_id" value={values['webhook_endpoint_id']} />
          <TimeField label={from} name="created_at[gte]" value={values['created_at[gte]']} />
          <TimeField label={to} name="created_at[lt]" value={values['created_at[lt]']} />
          <Choice label={order} name="order" value={values['order']} options={TEXTS.orders} any />
        </>
      )}
    </Filters>
  );
}

function Empty({ isInstallation }: { readonly isInstallation: boolean }) {
  const project = useProject();
  const { query, linkTo } = useView();
  if (NAMES.some((name) => query[name]))
    return (
      <>
        <p>{TEXTS.none}</p>
        <a href={linkTo(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>{TEXTS.unfiltered}</a>
      </>
    );
  return isInstallation ? (
    <>
      <p>{TEXTS.emptyInstallation}</p>
      <a href="/admin/projections">{TEXTS.toProjections}</a>
    </>
  ) : (
    <>
      <p>{TEXTS.empty}</p>
      <a href={`${placeOf(project, 'deliveries')}?status=failed`}>{TEXTS.toDeliveries}</a>
    </>
  );
}
