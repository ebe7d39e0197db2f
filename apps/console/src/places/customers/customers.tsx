import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { operations } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { filtersOf } from '../../state/filters-of.js';
import { placeOf, useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { CUSTOMER_COLUMNS } from './customer-columns.js';
import { CustomerForm, type CustomerValues } from './customer-form.js';
import { WORDS } from './texts.js';

type Query = NonNullable<operations['listCustomers']['parameters']['query']>;

const NAMES = ['phone', 'email', 'external_id', 'include_deleted'];

export function Customers() {
  const project_id = useProject();
  const { query } = useView();
  const [isAdding, setAdding] = useState(false);
  const filters = filtersOf<Query>(query, NAMES);
  const add = (
    <button class="primary" onClick={() => setAdding(true)}>
      {WORDS.add}
    </button>
  );
  return (
    <Place title={PLACES.customers} about={WORDS.about} actions={add}>
      <div class="stack">
        <CustomerFilters />
        <Curl request={{ path: '/customers', query: filters as Record<string, string> }} />
        <List
          caption={PLACES.customers}
          ask={(page) =>
            answerOf(
              api.GET('/admin/v1/projects/{project_id}/customers', {
                params: { path: { project_id }, query: { ...filters, ...page } },
              }),
            )
          }
          keys={[project_id, JSON.stringify(filters)]}
          columns={CUSTOMER_COLUMNS}
          live={['customer']}
          empty={
            Object.keys(filters).length > 0 ? (
              WORDS.none
            ) : (
              <>
                <p>{WORDS.empty}</p>
                {add}
              </>
            )
          }
        />
      </div>
      {isAdding && <AddCustomer onClose={() => setAdding(false)} />}
    </Place>
  );
}

function AddCustomer({ onClose }: { readonly onClose: () => void }) {
  const project_id = useProject();
  const { route } = useLocation();
  const add = async (body: CustomerValues) => {
    const call = api.POST('/admin/v1/projects/{project_id}/customers', { params: { path: { project_id } }, body });
    route(placeOf(project_id, 'customers', (await answerOf(call)).id));
  };
  return (
    <Dialog title={WORDS.add} onClose={onClose}>
      <CustomerForm label={WORDS.add} request={{ method: 'POST', path: '/customers' }} onSubmit={add} />
    </Dialog>
  );
}

function CustomerFilters() {
  const { labels } = WORDS;
  return (
    <Filters names={NAMES}>
      {(values) => (
        <>
          <Field label={labels.phone} name="phone" value={values['phone']} />
          <Field label={labels.email} name="email" value={values['email']} />
          <Field label={labels.externalId} name="external_id" value={values['external_id']} />
          <Choice
            label={labels.includeDeleted}
            name="include_deleted"
            value={values['include_deleted']}
            options={[
              ['', '–'],
              ['true', labels.withDeleted],
            ]}
          />
        </>
      )}
    </Filters>
  );
}
