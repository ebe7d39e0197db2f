import { useState } from 'preact/hooks';
import { Curl, type ShownRequest } from '../../parts/curl.js';
import { Field, Form } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useAction } from '../../state/use-action.js';
import { endpointValues, fieldsOf, type EndpointValues } from './endpoint-values.js';
import { EventFilters } from './event-filters.js';
import { FilterTrial, type Trial } from './filter-trial.js';
import { HeaderFields, rowsOf, type HeaderRow } from './header-fields.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

interface EndpointFormProps {
  /** The one to change; a new one is added without it. */
  readonly endpoint?: Endpoint;
  /** Changed filters are tried by it before they are saved. */
  readonly tryFilters: (filters: readonly string[]) => Promise<Trial>;
  readonly onSubmit: (values: EndpointValues) => Promise<void>;
}

export function EndpointForm({ endpoint: latest, tryFilters, onSubmit }: EndpointFormProps) {
  // As it was when the form opened, whatever changes meanwhile.
  const [endpoint] = useState(latest);
  const { run, isRunning, problem } = useAction();
  const [before] = useState(() => fieldsOf(endpoint));
  const [fields, setFields] = useState(before);
  const [filters, setFilters] = useState<readonly string[]>(endpoint?.event_filters ?? []);
  const [headers, setHeaders] = useState<readonly HeaderRow[] | null>(null);
  const [tried, setTried] = useState<{ readonly filters: string; readonly trial: Trial } | null>(null);
  const wanted = JSON.stringify(filters);
  const isTried = tried?.filters === wanted || wanted === JSON.stringify(endpoint?.event_filters ?? []);
  const trial = isTried ? undefined : () => tryFilters(filters);
  const submit = (sent: Readonly<Record<string, string>>) =>
    run(async () => {
      if (trial) return setTried({ filters: wanted, trial: await trial() });
      return onSubmit(endpointValues({ fields: sent, filters, headers }, endpoint));
    });
  const { url, description, rate, metadata, gone } = before;
  return (
    <Form onSubmit={submit} onInput={setFields}>
      <Field label={WORDS.form.url} name="url" value={url} required {...(endpoint && { hint: WORDS.form.urlHint })} />
      <Field label={WORDS.form.description} name="description" value={description} />
      <EventFilters filters={filters} onChange={setFilters} />
      {tried && tried.filters === wanted && <FilterTrial trial={tried.trial} isNew={!endpoint} />}
      <Field label={WORDS.form.rate} name="rate" type="number" value={rate} />
      <label class="check">
        <input type="checkbox" name="gone" defaultChecked={gone !== undefined} />
        {WORDS.form.gone}
      </label>
      <HeaderFields rows={headers ?? rowsOf(endpoint?.headers ?? {})} onChange={setHeaders} />
      <label class="field">
        <span>{WORDS.form.metadata}</span>
        <textarea name="metadata" defaultValue={metadata} />
      </label>
      <ProblemNote problem={problem} />
      <div class="row">
        <button type="submit" class="primary" disabled={isRunning}>
          {trial ? WORDS.trial.button : endpoint ? WORDS.save : WORDS.add}
        </button>
        {trial && <small class="muted">{WORDS.trial.about}</small>}
      </div>
      <Curl
        request={trial ? trialOf(endpoint, filters) : requestOf(endpoint, endpointValues({ fields, filters, headers }, endpoint))}
      />
    </Form>
  );
}

/** Without an endpoint the last events are asked for, and those of them that pass. */
function trialOf(endpoint: Endpoint | undefined, filters: readonly string[]): ShownRequest | readonly ShownRequest[] {
  if (endpoint) {
    return { method: 'POST', path: `/webhook_endpoints/${endpoint.id}/test_filters`, body: { event_filters: filters } };
  }
  const last = { limit: '100' };
  return [
    { path: '/events', query: last },
    { path: '/events', query: { ...last, 'types[]': filters } },
  ];
}

function requestOf(endpoint: Endpoint | undefined, body: EndpointValues): ShownRequest {
  return endpoint
    ? { method: 'PATCH', path: `/webhook_endpoints/${endpoint.id}`, body }
    : { method: 'POST', path: '/webhook_endpoints', body };
}
