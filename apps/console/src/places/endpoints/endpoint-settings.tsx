import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import { Facts } from '../../parts/facts.js';
import { Section } from '../../parts/place.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { EndpointForm } from './endpoint-form.js';
import type { EndpointValues } from './endpoint-values.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

interface EndpointSettingsProps {
  readonly endpoint: Endpoint;
  readonly onSaved: () => void;
}

export function EndpointSettings({ endpoint, onSaved }: EndpointSettingsProps) {
  const project = useProject();
  const [isEditing, setEditing] = useState(false);
  const of = { params: { path: { project_id: project, id: endpoint.id } } };
  const tryFilters = (filters: readonly string[]) => {
    const wanted = { ...of, body: { event_filters: [...filters] } };
    return answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/test_filters', wanted));
  };
  const save = async (body: EndpointValues) => {
    await answerOf(api.PATCH('/admin/v1/projects/{project_id}/webhook_endpoints/{id}', { ...of, body }));
    setEditing(false);
    onSaved();
  };
  const edit = (
    <button type="button" onClick={() => setEditing(true)}>
      {WORDS.edit}
    </button>
  );
  return (
    <Section title={WORDS.settings} actions={edit}>
      <EndpointFacts endpoint={endpoint} />
      {isEditing && (
        <Dialog title={WORDS.edit} onClose={() => setEditing(false)}>
          <EndpointForm endpoint={endpoint} tryFilters={tryFilters} onSubmit={save} />
        </Dialog>
      )}
    </Section>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }) {
  const { url, description, event_filters: filters, headers, rate_limit_per_second: rate, metadata } = endpoint;
  const names = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Facts
        of={[
          [WORDS.columns.url, <Foreign text={url} />],
          [WORDS.form.description, <Foreign text={description} />],
          [WORDS.columns.filters, <Foreign text={filters.join(', ') || WORDS.allEvents} />],
          [WORDS.form.headers, names.length === 0 ? null : names.map((line) => <div key={line}>{line}</div>)],
          [WORDS.facts.rate, rate ?? WORDS.facts.noRate],
          [WORDS.form.gone, endpoint.disable_on_gone ? WORDS.facts.yes : WORDS.facts.no],
          [WORDS.columns.created, <Time at={endpoint.created_at} whole />],
          [WORDS.facts.changed, <Time at={endpoint.updated_at} whole />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <TextBlock label={WORDS.form.metadata} text={JSON.stringify(metadata, null, 2)} />}
    </>
  );
}
