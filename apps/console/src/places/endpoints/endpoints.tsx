import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { List, type PageQuery } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { ENDPOINT_COLUMNS } from './endpoint-columns.js';
import { EndpointForm } from './endpoint-form.js';
import type { EndpointValues } from './endpoint-values.js';
import { MadeEndpoint, type Made } from './made-endpoint.js';
import { WORDS } from './texts.js';
import { tryNewFilters } from './try-new-filters.js';
import type { Endpoint } from './use-endpoint.js';

const STATUSES = ['enabled', 'paused', 'disabled'] as const;

export function Endpoints() {
  const project = useProject();
  const { query } = useView();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const status = query['status'];
  const path = { project_id: project };
  const ask = (page: PageQuery) => {
    const wanted = { params: { path, query: { ...page, ...(status && { status: status as Endpoint['status'] }) } } };
    return answerOf(api.GET('/admin/v1/projects/{project_id}/webhook_endpoints', wanted));
  };
  const add = async (body: EndpointValues) => {
    const wanted = { params: { path }, body };
    setMade(await answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints', wanted)));
    setAdding(false);
  };
  const button = (label: string) => (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      {label}
    </button>
  );
  return (
    <Place title={PLACES.endpoints} about={WORDS.about} actions={button(WORDS.add)}>
      {made && <MadeEndpoint made={made} />}
      <Filters names={['status']}>
        {(values) => <Choice label={WORDS.columns.status} name="status" value={values['status']} options={STATUSES} any />}
      </Filters>
      <List
        caption={PLACES.endpoints}
        ask={ask}
        keys={[project, status, made]}
        live={['webhook_endpoint']}
        columns={ENDPOINT_COLUMNS}
        empty={status ? <p>{WORDS.noneFits}</p> : <NoEndpoint>{button(WORDS.addFirst)}</NoEndpoint>}
      />
      <Curl request={{ path: '/webhook_endpoints', query: { status } }} />
      {isAdding && (
        <Dialog title={WORDS.add} onClose={() => setAdding(false)}>
          <EndpointForm tryFilters={(filters) => tryNewFilters(project, filters)} onSubmit={add} />
        </Dialog>
      )}
    </Place>
  );
}

function NoEndpoint({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <p>{WORDS.none}</p>
      <div>{children}</div>
    </>
  );
}
